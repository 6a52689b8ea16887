// A body that comes through a slow line.
import { type Readable, Transform } from 'node:stream';

const SLICE_BYTES = 16_384;

/** In slices, because a body of one chunk would come all at once after a wait. */
export function slowDown(body: Readable, bytesPerS: number): Readable {
  const slow = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const slices = Array.from({ length: Math.ceil(chunk.length / SLICE_BYTES) }, (_, index) =>
        chunk.subarray(index * SLICE_BYTES, (index + 1) * SLICE_BYTES),
      );
      const next = () => {
        const slice = slices.shift();
        if (slice === undefined) return done();
        slow.push(slice);
        setTimeout(next, (1000 * slice.length) / bytesPerS);
      };
      next();
    },
  });
  return body.pipe(slow);
}
