import type { Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';

/** The header of a chunk that goes on: 0xC0 and above, its channel in up to two bytes more, perhaps a time in four. */
const CHUNK_HEADER = '(?:[\\xc0-\\xff][^]{0,6})?';
/** What would send ffmpeg elsewhere, which headers of chunks may cut (ffmpeg does not follow it so far). */
const REDIRECT = new RegExp([...'redirect'].join(CHUNK_HEADER), 'i');
/** Longer than what is forbidden, however it is cut. */
const KEPT = 64;

/** Passes everything on between ffmpeg and a camera that speaks RTMP, until that sends elsewhere. */
export function pipeRtmp(client: Socket, camera: Socket): void {
  pipeline(client, camera, () => undefined);
  pipeline(camera, untilRedirect(), client, () => undefined);
}

/** Breaks off at what is forbidden, wherever packets are cut. */
function untilRedirect(): Transform {
  let tail = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = tail + chunk.toString('latin1');
      tail = text.slice(-KEPT);
      if (REDIRECT.test(text)) done(new Error('The other side sends elsewhere.'));
      else done(null, chunk);
    },
  });
}
