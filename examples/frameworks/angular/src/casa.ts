import type { HttpErrorResponse, HttpInterceptorFn } from '@angular/common/http';
import { retry, throwError, timer } from 'rxjs';

/** Retries as the contract allows: 429 after the time that it states, 502 and 503 with back-off. */
export const casaRetries: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    retry({
      count: 3,
      delay: (failure: HttpErrorResponse, count) => {
        const { status, headers } = failure;
        if (![429, 502, 503].includes(status)) return throwError(() => failure);
        const [after, reset] = [headers.get('retry-after'), headers.get('x-ratelimit-reset')];
        const backOffMs = 1000 * 2 ** (count - 1);
        if (status !== 429 || !(after ?? reset)) return timer(backOffMs);
        return timer(after === null ? Math.max(0, Number(reset) - Date.now()) : Number(after) * 1000);
      },
    }),
  );
