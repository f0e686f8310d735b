import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFfmpeg } from '../../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { FfmpegSource } from '../../../src/video/ffmpeg/ffmpeg-source.ts';
import type { Hardware } from '../../../src/video/hardware/hardware.ts';
import { FFMPEG_PATHS } from '../../support/ffmpeg.ts';

/**
 * The real ffmpeg, behind a script that says that it knows vaapi. No test machine has such hardware, so the script takes the
 * options of the hardware away.
 * @param folder where the script is made
 * @param onHardware shell commands that run instead while the options ask for hardware
 */
export async function fakeHardware(folder: string, name: string, onHardware = ''): Promise<string> {
  const { ffmpeg } = await findFfmpeg(FFMPEG_PATHS);
  const script = join(folder, name);
  writeFileSync(
    script,
    `#!/bin/bash
[[ " $* " == *" -hwaccels "* ]] && { echo vaapi; exit 0; }
real="${ffmpeg.path}"
asked=no
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    -hwaccel | -hwaccel_output_format) asked=yes; shift ;;
    *) args+=("\${1//hwdownload,format=nv12|p010le/null}") ;;
  esac
  shift
done
if [ $asked = yes ]; then :; ${onHardware}
fi
exec "$real" "\${args[@]}"
`,
  );
  chmodSync(script, 0o755);
  return script;
}

export function open(url: string, ffmpegPath: string | undefined, hardware: Hardware | undefined) {
  const reasons: string[] = [];
  const source = new FfmpegSource({
    ...{ url, fps: 5, inputWidth: 64, inputHeight: 64, pace: 'realtime', ...FFMPEG_PATHS },
    ...{ backoffMinMs: 20, backoffMaxMs: 100, watchdogMs: 60_000, killAfterMs: 300 },
    ...(ffmpegPath && { ffmpegPath }),
    hardware,
    onHardwareFault: ({ sentence }) => reasons.push(sentence),
  });
  return { source, reasons };
}

export async function frames(source: FfmpegSource, count: number): Promise<number> {
  let taken = 0;
  while (taken < count && (await source.next())) taken++;
  return taken;
}
