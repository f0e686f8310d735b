import type { Command } from 'commander';
import { zonePolygons } from '../../src/cameras/devices/images/draw-zones.ts';
import { readScene } from '../replay/scene-file.ts';
import { printing } from '../support/printing.ts';
import { drawOnVideo } from './drawing/draw-on-video.ts';
import { evaluation } from './options.ts';

interface Options {
  readonly scene: string;
  readonly out: string;
}

export const drawZonesCommand = (): Command =>
  evaluation(
    'draw-zones',
    'Writes a copy of a video with the zones of a scene drawn on it, for labelling visits.',
  )
    .argument('<video>', 'a video file')
    .requiredOption('--scene <file.json>', '{ "zones": …, "parameters": … } as in the API')
    .requiredOption('--out <file.mp4>', 'the copy; it has the times of the video')
    .addHelpText(
      'after',
      '\nThe outline of the queue zone is dashed, that of the checkout zone is solid, that of the staff zone is dotted.\n\nExample:\n  npm run -s evaluate -- draw-zones till.mp4 --scene scene.json --out till.zones.mp4',
    )
    .action(
      printing(
        async (video: string, { scene, out }: Options) => {
          const { zones } = await readScene(scene);
          await drawOnVideo(video, out, { fps: 1, count: 1, at: (_, size) => zonePolygons(zones, size) });
          return { video: out };
        },
        ({ video }) => video,
      ),
    );
