import { defineConfig } from '@playwright/test';

export default defineConfig({
  workers: 1,
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
    casaOptions: { replaces: 'https://api.example.com/api/v1', addKey: true, world: 'empty', clock: 'page' },
  },
});
