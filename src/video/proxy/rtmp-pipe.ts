import type { Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/** The header of a continued chunk: 0xC0 or more, up to two bytes of its chunk stream, and perhaps four of its time. */
const CHUNK_HEADER = '(?:[\\xc0-\\xff][^]{0,6})?';
/** A redirect, which chunk headers may interrupt. Today ffmpeg does not follow redirects in RTMP. */
const REDIRECT = new RegExp([...'redirect'].join(CHUNK_HEADER), 'i');
/** Longer than the longest match. */
const TAIL_CHARS = 64;

/** Passes everything on between ffmpeg and an RTMP camera until the camera sends a redirect. */
export function pipeRtmp(client: Socket, camera: Socket): void {
  pipeline(client, camera, () => undefined);
  pipeline(camera, untilRedirect(), client, () => undefined);
}

/** Breaks off at a redirect, also when it is split over packets. */
function untilRedirect(): Transform {
  let tail = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = tail + chunk.toString('latin1');
      tail = text.slice(-TAIL_CHARS);
      if (REDIRECT.test(text)) done(new Error('The camera redirects.'));
      else done(null, chunk);
    },
  });
}
