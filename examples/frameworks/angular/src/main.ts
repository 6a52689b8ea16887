import '@angular/compiler';
import { HttpClient, provideHttpClient, withInterceptors } from '@angular/common/http';
import { Component, inject, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { ListSitesResponse, Site } from 'casa-kit/api';
import { casaRetries } from './casa';

@Component({
  selector: 'app-root',
  template: `
    @if (error()) { <p role="alert">{{ error() }}</p> }
    <ul>@for (site of sites(); track site.id) { <li>{{ site.name }}</li> }</ul>`,
})
class App {
  readonly sites = signal<readonly Site[]>([]);
  readonly error = signal('');

  constructor() {
    inject(HttpClient)
      .get<ListSitesResponse>('/api/v1/sites')
      .subscribe({
        next: ({ data }) => this.sites.set(data),
        error: ({ error }) => this.error.set(error.error.code),
      });
  }
}

bootstrapApplication(App, { providers: [provideHttpClient(withInterceptors([casaRetries]))] });
