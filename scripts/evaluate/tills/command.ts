import { extname } from 'node:path';
import type { Command } from 'commander';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import { shown } from '../../support/numbers.ts';
import { positive } from '../../support/options.ts';
import { printMeasured } from '../../support/printing.ts';
import { table } from '../../support/terminal.ts';
import { accuracyOption, evaluation, modelOption } from '../options.ts';
import { drawTill } from './draw-till.ts';
import { addTills, type TillFigures, tillFigures } from './score-till.ts';
import { readTills } from './till-folder.ts';
import { type WatchedTill, watchTill } from './watch-till.ts';

interface TillsOptions {
  readonly fps: number;
  readonly model: string;
  readonly accuracy: AnalysisAccuracy;
  readonly picture?: string;
  readonly json: boolean;
}

export const tillsCommand = (): Command =>
  evaluation('tills', 'Compares queue visits and services in films of tills with labels.')
    .argument(
      '<folder>',
      'folder of films: NAME/video.mp4, NAME/scene.json, NAME/labels.csv; or one such folder',
    )
    .option('--fps <number>', 'frames a second to analyse', positive, 5)
    .addOption(modelOption())
    .addOption(accuracyOption())
    .option(
      '--picture <out.mp4>',
      'also draws boxes, feet, people and zones on a copy of the film; of several films, one copy each',
    )
    .addHelpText('after', FILES_HELP)
    .action(async (folder: string, { picture, json, ...options }: TillsOptions) => {
      if (picture !== undefined && extname(picture) !== '.mp4')
        throw new Error(`--picture must end in .mp4: ${picture}`);
      const tills = await readTills(folder);
      const watched: WatchedTill[] = [];
      for (const till of tills) watched.push(await watchTill(till, options));
      const pictures: string[] = [];
      for (const one of picture === undefined ? [] : watched) {
        const out = pictureOf(picture!, one, watched.length);
        await drawTill(one, out, options.fps);
        pictures.push(out);
      }
      const report = reportOf(watched);
      printMeasured(json, report, () => tillsText(watched, report, pictures));
    });

const FILES_HELP = `
Labels as for visits --video. A visit that is open when the film begins or ends counts with the part that the film shows.
A folder may also have counts.csv with the columns second,inQueue,inService: people whom somebody counted in single pictures,
a cell empty where nobody did. Without it the labels tell how many people there are at each whole second.
  occupancyErrorPercent, biasPercent   back-dated stays in both zones at those seconds
  withinOnePercent                     live counts of queue and service both within one person at those seconds
  waitErrorSeconds, serviceErrorSeconds   lengths of the matched stays
A scene with tills: labels.csv may have a column till with the id of the till of the service, and the folder a states.csv with the
columns second,tillId,state (serving, free, closed, unknown, or empty where nobody knows), each until the next row of its till.
  tills   states right by the second, openings and closings known live within 30 s, services at the right till; null without these

Examples:
  npm run -s evaluate -- tills films
  npm run -s evaluate -- tills films/till-1 --picture till-1.mp4`;

/** With several films, each copy has the name of its film. */
const pictureOf = (picture: string, { till }: WatchedTill, films: number): string =>
  films === 1 ? picture : picture.replace(/\.mp4$/, `.${till.name}.mp4`);

export const reportOf = (watched: readonly Pick<WatchedTill, 'till' | 'counts'>[]) => ({
  clips: Object.fromEntries(watched.map(({ till, counts }) => [till.name, tillFigures(counts)])),
  combined: tillFigures(addTills(watched.map(({ counts }) => counts))),
});

function tillsText(
  watched: readonly WatchedTill[],
  { clips, combined }: ReturnType<typeof reportOf>,
  pictures: readonly string[],
): string {
  const heading = ['', 'queue true', 'ours', 'F1', 'service true', 'ours', 'F1', 'people error', 'bias'];
  const row = (name: string, figures: TillFigures): string[] => [
    ...[name, String(figures.trueQueue), String(figures.ourQueue), shown(figures.queueF1, 3)],
    ...[String(figures.trueServices), String(figures.ourServices), shown(figures.serviceF1, 3)],
    ...[shown(figures.occupancyErrorPercent, 1, '%'), shown(figures.biasPercent, 1, '%')],
    shown(figures.withinOnePercent, 0, '%'),
    ...[shown(figures.waitErrorSeconds, 1, 's'), shown(figures.serviceErrorSeconds, 1, 's')],
  ];
  const rows = [...Object.entries(clips).map(([name, one]) => row(name, one)), row('all', combined)];
  const faults = watched.flatMap(({ till: { name }, missed, invented }) => [
    ...missed.map(({ zone, from, to, person }) => `missed    ${name}  ${zone}  ${from}-${to} s  ${person}`),
    ...invented.map(
      ({ zone, from, to, trackId }) => `invented  ${name}  ${zone}  ${from}-${to} s  track ${trackId}`,
    ),
  ]);
  return [
    table([[...heading, 'within one', 'wait error', 'service error'], ...rows]),
    ...tillTable([...Object.entries(clips), ['all', combined]]),
    ...(faults.length > 0 ? ['', ...faults] : []),
    ...(pictures.length > 0 ? ['', ...pictures] : []),
  ].join('\n');
}

/** What was labelled of tills, where something was. */
function tillTable(all: readonly (readonly [name: string, figures: TillFigures])[]): string[] {
  const percent = (value: number | null) => shown(value, 1, '%');
  const rows = all.flatMap(([name, { tills }]) =>
    tills
      ? [
          [
            ...[
              name,
              percent(tills.statesRightPercent),
              percent(tills.openRightPercent),
              String(tills.services),
            ],
            ...[
              percent(tills.foundPercent),
              percent(tills.foundAtTillPercent),
              percent(tills.inventedPercent),
            ],
          ],
        ]
      : [],
  );
  const heading = [
    'tills',
    'states right',
    'open right',
    'services',
    'found',
    'of these at the right till',
    'invented',
  ];
  return rows.length === 0 ? [] : ['', table([heading, ...rows])];
}
