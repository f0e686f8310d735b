import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { modelWriter } from '../src/insights/vlm/model-writer.ts';
import { openChat } from '../src/platform/chat/chat-client.ts';
import { VlmFailure } from '../src/platform/chat/vlm-failure.ts';
import { systemClock } from '../src/platform/clock.ts';
import { type Config, loadConfig } from '../src/platform/config.ts';
import { findFfmpeg } from '../src/video/ffmpeg/ffmpeg-binaries.ts';
import { grabFrame } from '../src/video/grab-frame.ts';
import { framePicture } from '../src/video/picture/frame-picture.ts';
import { withoutPeople } from '../src/video/picture/hide.ts';
import { NO_PRIVACY } from '../src/vision/privacy.ts';
import { main, parseCommands, print } from './support/terminal.ts';

interface CheckOptions {
  readonly picture?: string;
  readonly json?: true;
}

/** An image of the simulated shop at a time when people are waiting. */
async function shopImage({ ffmpegPath, ffprobePath }: Config): Promise<Uint8Array> {
  const binaries = await findFfmpeg({ ffmpegPath, ffprobePath, onWarning: () => undefined });
  const frame = await grabFrame('sim:shop?seed=1&start=360', { binaries, timeoutMs: 20_000 });
  return framePicture(frame, withoutPeople(NO_PRIVACY));
}

/** @throws Error that says how to give an image */
function readImage(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw new Error(
      `There is no image ${path} that can be read: give --picture a JPEG file, or leave it out.`,
    );
  }
}

/** Asks the configured model about one image, as a worker does. */
async function check({ picture, json }: CheckOptions): Promise<void> {
  const config = loadConfig();
  const client = openChat(config, systemClock);
  if (!client) {
    throw new Error(
      'No model is configured: set VLM_URL and VLM_MODEL (and VLM_API_KEY where the server needs one).',
    );
  }
  const jpeg = picture ? readImage(picture) : await shopImage(config);
  const startMs = performance.now();
  const written = await modelWriter(client, config)
    .write(
      {
        sceneId: '',
        sceneName: 'Check',
        deviceName: 'Check',
        severity: 'warning',
        triggeredAt: new Date(),
        timezone: null,
        locale: null,
        message: 'In queue 7 > 5 at "Check"',
        metricPath: 'current.inQueue',
        operator: 'GT',
        threshold: 5,
        actualValue: 7,
        facts: null,
        images: [jpeg],
      },
      new AbortController().signal,
    )
    .catch((error: unknown) => {
      throw error instanceof VlmFailure ? new Error(`${error.code}: ${error.message}`) : error;
    });
  for (const lack of client.shortcomings) console.error(`The server ${lack}.`);
  const tookMs = Math.round(performance.now() - startMs);
  const { result, inputTokens, outputTokens } = written;
  const report = { model: client.model, tookMs, inputTokens, outputTokens, result };
  print(
    json,
    report,
    () =>
      `${client.model} at ${config.vlmUrl}: ${tookMs} ms, ${inputTokens} + ${outputTokens} tokens\n${JSON.stringify(result, null, 2)}`,
  );
}

const program = new Command('vlm').description(
  'The vision language model that writes insights and interprets searches, where one is configured.',
);
program
  .command('check')
  .description('Asks the server at VLM_URL about an image, and prints its answer, time and tokens.')
  .option('--picture <file>', 'a JPEG file (default: an image of the simulated shop)')
  .option('--json', 'one JSON document on standard output')
  .action(check);

await main(() => parseCommands(program));
