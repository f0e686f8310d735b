import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { thisProcessor } from '../../platform/processes/processor.ts';
import { readAttributeCard, readDetectorCard } from '../cards.ts';
import { sha256 } from '../model-sources.ts';
import { CONVERTER_VERSION } from '../ready-models.ts';
import { writeWhole } from '../write-whole.ts';
import { graphicsDrivers } from './graphics-drivers.ts';
import type { MeasuredProvider, MeasureRequest } from './measurement.ts';

/** Raise it when measurements of before no longer hold. */
const FORMAT = 1;
/** A provider that could not be used is tried again after this time: its driver may only have been busy. */
const FAILURE_MS = 24 * 3_600_000;

interface Kept {
  readonly measuredAt: string;
  readonly result: MeasuredProvider;
}

/**
 * Measures unless the same was measured on this machine before. The key of a result follows from the processor, the graphics
 * drivers, ONNX Runtime and the cards, so an update of one of them measures again.
 * @param measure called when nothing is known
 * @param onProgress gets the reason when the result cannot be kept
 */
export async function measureOnce(
  request: MeasureRequest,
  measure: (request: MeasureRequest) => Promise<MeasuredProvider>,
  onProgress?: (message: string) => void,
): Promise<MeasuredProvider> {
  const file = join(request.cacheDir, `measured-${await keyOf(request)}.json`);
  const kept = await readKept(file);
  if (kept) return kept;
  const result = await measure(request);
  // It is known within a second, and what was missing may be installed before the next start.
  if ('isUnopened' in result) return result;
  const text = `${JSON.stringify({ measuredAt: new Date().toISOString(), result } satisfies Kept, null, 2)}\n`;
  await writeWhole(file, Buffer.from(text)).catch((error: Error) =>
    onProgress?.(`${error.message} Until then networks are measured at each start.`),
  );
  return result;
}

async function readKept(file: string): Promise<MeasuredProvider | null> {
  try {
    const { measuredAt, result } = JSON.parse(await readFile(file, 'utf8')) as Kept;
    const isOld = Date.now() - Date.parse(measuredAt) > FAILURE_MS;
    return 'reason' in result && isOld ? null : result;
  } catch {
    // No file, or a damaged one, which is written again.
    return null;
  }
}

async function keyOf({
  executionProvider,
  detectors,
  cropNetworks,
  threads,
  modelsDir,
}: MeasureRequest): Promise<string> {
  const cards = [
    ...(await Promise.all(detectors.map((name) => readDetectorCard(modelsDir, name)))),
    ...(await Promise.all(cropNetworks.map((name) => readAttributeCard(modelsDir, name)))),
  ];
  const drivers = executionProvider === 'cpu' ? null : graphicsDrivers();
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
  const known = [
    FORMAT,
    thisProcessor(),
    drivers,
    version,
    CONVERTER_VERSION,
    executionProvider,
    threads,
    cards,
  ];
  return sha256(Buffer.from(JSON.stringify(known))).slice(0, 16);
}
