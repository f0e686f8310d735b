// Part of `npm run build`: makes the ffmpeg and ffprobe of npm runnable for every user. Their packages make them runnable
// only for the user who installs them, but the built programs often run as another one.
import { chmodSync, statSync } from 'node:fs';
import ffmpeg from '@ffmpeg-installer/ffmpeg';
import ffprobe from '@ffprobe-installer/ffprobe';

for (const { path } of [ffmpeg, ffprobe]) {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
