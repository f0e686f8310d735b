import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FFMPEG_PATHS } from '../ffmpeg.ts';

/** ffmpeg and ffprobe that write down what any user of the machine, or of their account, can see of them. */
export async function notedFfmpeg(
  folder: string,
): Promise<{ ffmpegPath: string; ffprobePath: string; notes: () => string }> {
  const { ffmpeg, ffprobe } = await findFfmpeg(FFMPEG_PATHS);
  const notes = join(folder, 'notes');
  writeFileSync(notes, '');
  const noted = (name: string, path: string) => {
    const script = join(folder, name);
    writeFileSync(script, `#!/bin/sh\n{ echo "${name}" "$@"; env; } >> "${notes}"\nexec "${path}" "$@"\n`);
    chmodSync(script, 0o755);
    return script;
  };
  return {
    ffmpegPath: noted('ffmpeg', ffmpeg.path),
    ffprobePath: noted('ffprobe', ffprobe.path),
    notes: () => readFileSync(notes, 'utf8'),
  };
}
