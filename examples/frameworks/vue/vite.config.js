import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

// This server adds the key, so that no bundle contains it.
const proxy = {
  '/api/v1': {
    target: new URL(process.env.CASA_BASE_URL ?? 'http://127.0.0.1:4010').origin,
    headers: { authorization: `Bearer ${process.env.CASA_API_KEY}` },
  },
};

export default defineConfig({ plugins: [vue()], server: { proxy }, preview: { proxy } });
