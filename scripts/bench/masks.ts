import { loadConfig } from '../../src/platform/config.ts';
import { findFfmpeg } from '../../src/video/ffmpeg/ffmpeg-binaries.ts';
import { grabFrame } from '../../src/video/grab-frame.ts';
import { framePicture } from '../../src/video/picture/frame-picture.ts';
import { blackenFrame, type Hidden } from '../../src/video/picture/hide.ts';
import { modelInputOf } from '../../src/video/picture/model-input.ts';
import type { Box, Polygon } from '../../src/vision/types.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { measuringCommand } from '../support/measuring-command.ts';
import { median } from '../support/numbers.ts';
import { progress, table } from '../support/terminal.ts';

const NOTHING: Hidden = { masks: [], blurPeople: 'none', people: [] };
const INPUT = { inputWidth: 640, inputHeight: 384 };

/** Polygons of eight corners, which together cover about a fifth of the picture. */
const masksOf = (count: number): Polygon[] =>
  Array.from({ length: count }, (_, at) => {
    const [x, y, radius] = [(at + 0.5) / count, 0.5 + 0.3 * (at % 2 === 0 ? -1 : 1), 0.25 / Math.sqrt(count)];
    const corner = (n: number): [number, number] => [
      Math.min(1, Math.max(0, x + radius * Math.cos((n * Math.PI) / 4))),
      Math.min(1, Math.max(0, y + radius * Math.sin((n * Math.PI) / 4))),
    ];
    return { type: 'polygon', points: Array.from({ length: 8 }, (__, n) => corner(n)) };
  });

/** People side by side, each seen in `frames` frames while walking. */
const peopleOf = (count: number, frames: number): Box[] =>
  Array.from({ length: count * frames }, (_, at) => {
    const left = ((at % count) / count) * 0.9 + 0.004 * Math.floor(at / count);
    return { left, top: 0.3, right: left + 0.09, bottom: 0.85 };
  });

export const masks = measuringCommand({
  name: 'masks',
  description:
    'What masks and hidden people cost: CPU time of a picture of the simulated shop, as a still of full size and as a live ' +
    'picture of 640 pixels, without anything hidden, with masks, and with people who are hidden by their boxes of one second ' +
    'at 5 frames a second; and of the masks in a frame that is analysed. The kinds take turns; the median of the rounds counts.',
  options: {
    masks: ['polygons', 5],
    people: ['people in the picture', 10],
    pictures: ['pictures of each kind and round', 20],
    rounds: ['rounds; the median counts', 15],
  },
  async measure({ masks: maskCount, people: peopleCount, pictures, rounds }) {
    const { ffmpegPath, ffprobePath } = loadConfig();
    const binaries = await findFfmpeg({ ffmpegPath, ffprobePath });
    const frame = await grabFrame('sim:shop?seed=1&start=360', { binaries, timeoutMs: 20_000 });
    const [polygons, people] = [masksOf(maskCount), peopleOf(peopleCount, 6)];
    const kinds: Record<string, Hidden> = {
      nothing: NOTHING,
      masks: { ...NOTHING, masks: polygons },
      faces: { ...NOTHING, blurPeople: 'faces', people },
      bodies: { ...NOTHING, blurPeople: 'bodies', people },
      'bodies and masks': { masks: polygons, blurPeople: 'bodies', people },
      'everything as a mosaic': { ...NOTHING, blurPeople: 'bodies', people: null },
    };
    const analysed = {
      ...{ index: 0, timeMs: 0, full: { ...frame, data: frame.data.slice() }, isDamaged: false },
      ...{ keepFull: () => undefined, ...modelInputOf(frame, INPUT) },
    };
    const works: Record<string, () => unknown> = { 'analysed frame': () => blackenFrame(analysed, polygons) };
    for (const [name, hidden] of Object.entries(kinds)) {
      works[`still, ${name}`] = () => framePicture(frame, hidden);
      works[`live picture, ${name}`] = () => framePicture(frame, hidden, 640);
    }
    const samples = new Map<string, number[]>(Object.keys(works).map((name) => [name, []]));
    const bar = progress('bench', rounds * samples.size, 'rounds');
    for (let round = 0; round < rounds; round++) {
      for (const [name, work] of Object.entries(works)) {
        await work();
        const before = cpuTime().self;
        for (let picture = 0; picture < pictures; picture++) await work();
        samples.get(name)!.push(((cpuTime().self - before) * 1000) / pictures);
        bar.step();
      }
    }
    bar.stop();
    return {
      size: `${frame.width} × ${frame.height}`,
      ...{ masks: maskCount, people: peopleCount },
      msOfCpu: Object.fromEntries([...samples].map(([name, all]) => [name, median(all)])),
    };
  },
  report: ({ size, masks: polygons, people, msOfCpu }) =>
    [
      table([
        [`${size}, ${polygons} masks, ${people} people`, 'ms of CPU'],
        ...Object.entries(msOfCpu).map(([name, ms]) => [name, ms.toFixed(2)]),
      ]),
    ].join('\n'),
});
