import type { Command } from 'commander';
import { FRAME_HEIGHT, FRAME_WIDTH } from '../../../src/simulator/camera.ts';
import { placeOf } from '../../../src/simulator/place.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import { FURNISHED } from '../../../src/simulator/scenario.ts';
import { height } from '../../../src/vision/geometry.ts';
import { positive } from '../../support/options.ts';
import { printing, printMeasured } from '../../support/printing.ts';
import { eachWithProgress, table } from '../../support/terminal.ts';
import { readFootage, sampled } from '../footage/footage.ts';
import type { TrueBody } from '../footage/limits.ts';
import { findSequences, toDetection } from '../footage/mot-files.ts';
import { evaluation, FOOTAGE_ROOT, modelOption, seedsOption } from '../options.ts';
import { DETECTIONS, type Detections, simulateShop } from '../simulated/simulated-shop.ts';
import { type FeetFrame, feetFigures, hiddenFeet } from './feet-errors.ts';

interface FeetOptions {
  readonly fps: number;
  readonly model: string;
  readonly seeds: readonly number[];
  readonly minutes: number;
}

/** Shares of a person that furniture leaves visible: down to the knee, and to the hip. */
const CUTS = [0.75, 0.55];
/** The boxes of a person are cut in so many spans of this length. */
const CUT_SPANS = 0.3;
const SPAN_MS = 1400;

export const feetCommand = (): Command =>
  evaluation(
    'feet',
    'Compares the foot points of people whose legs are hidden with the true ones: in sequences, of the boxes as they are and of\n' +
      'true boxes cut at the knee and the hip in three of ten spans of 1.4 s; in simulated shops with furniture, of customers.',
  )
    .argument('[mot-root]', FOOTAGE_ROOT)
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .addOption(modelOption())
    .addOption(seedsOption([1, 2]))
    .option('--minutes <n>', 'length of each shop', positive, 10)
    .action(printing(evaluateFeet, feetTable, printMeasured));

async function evaluateFeet(root: string | undefined, options: FeetOptions) {
  const figures: Record<string, ReturnType<typeof feetFigures>> = {};
  const folders = root === undefined ? [] : await findSequences(root);
  await eachWithProgress('watching', folders, 'sequences', async (folder) => {
    const footage = await readFootage(folder, options.model);
    const { name, size } = footage;
    const frames = sampled(footage, options.fps).map(
      ({ timeMs, detections, truth }): FeetFrame => ({
        ...{ timeMs, detections },
        people: truth.map((row) => ({ id: row.id, box: toDetection(row, size).box })),
      }),
    );
    const score = (of: readonly FeetFrame[]) => feetFigures(hiddenFeet(of, size.width / size.height));
    figures[name] = score(frames);
    for (const share of CUTS) figures[`${name} cut at ${share}`] = score(cutBoxes(frames, share));
  });
  const shops = FURNISHED.flatMap((scenario) =>
    (Object.keys(DETECTIONS) as Detections[]).map((detections) => ({ scenario, detections })),
  );
  await eachWithProgress('watching', shops, 'shops', ({ scenario, detections }) => {
    const feet = options.seeds.flatMap((seed) => {
      const { frames } = simulateShop({ ...options, scenario, detections, seed });
      // Staff come first. Some of them sit, and no zone asks where their feet are.
      const staff = placeOf(scenario).staff.length;
      const ofCustomers = frames.map(
        ({ bodies, ...frame }): FeetFrame => ({
          ...frame,
          people: bodies
            .filter(({ id }) => id > staff)
            .map(({ id, box, foot = box.bottom }) => ({ id, box: { ...box, bottom: foot } })),
        }),
      );
      return hiddenFeet(ofCustomers, FRAME_WIDTH / FRAME_HEIGHT);
    });
    figures[`${scenario} ${detections}`] = feetFigures(feet);
  });
  return { fps: options.fps, figures };
}

/** True boxes, those of each person cut off in some spans of time. */
function cutBoxes(frames: readonly FeetFrame[], share: number): FeetFrame[] {
  const isCut = ({ id }: TrueBody, timeMs: number) =>
    createRandom(1, id, Math.floor(timeMs / SPAN_MS)).chance(CUT_SPANS);
  return frames.map(({ timeMs, people }) => ({
    ...{ timeMs, people },
    detections: people.map((person) => {
      const { box } = person;
      const bottom = isCut(person, timeMs) ? box.top + share * height(box) : box.bottom;
      return { box: { ...box, bottom }, score: 0.9, classId: 0 };
    }),
  }));
}

function feetTable({ figures }: Awaited<ReturnType<typeof evaluateFeet>>): string {
  const spread = (of: { median: number; ninety: number } | null) =>
    of ? `${of.median} / ${of.ninety}` : '-';
  const rows = Object.entries(figures).map(([name, { boxes, estimatedShare, box, product, estimated }]) => [
    ...[name, boxes, `${Math.round(100 * (estimatedShare ?? 0))} %`],
    ...[spread(box), spread(product), spread(estimated)],
  ]);
  return `${table([['', 'boxes', 'estimated', 'end of the box', 'foot point', 'estimated ones'], ...rows])}
Errors in percent of the height of the picture: half / 90 % are at most so large. Boxes that lack a tenth of a person or more`;
}
