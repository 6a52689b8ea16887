interface ImportMetaEnv {
  readonly VITE_API?: 'mock' | 'msw' | 'staging';
}
