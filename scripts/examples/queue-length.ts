/**
 * Connects a camera and prints the length of its queue once a second.
 *
 *   API_URL=http://127.0.0.1:3000 API_KEY=… npx tsx scripts/examples/queue-length.ts rtsp://user:password@192.168.1.20/stream1
 *
 * In a project of your own import from the package `video-analytics-client` (see src/client/README.md).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createApi, dataOf } from '../../src/client/client.ts';

const { API_URL, API_KEY } = process.env;
const [streamUrl, readings = '60'] = process.argv.slice(2);
if (!API_URL || !API_KEY || !streamUrl)
  throw new Error(
    'Set API_URL and API_KEY, and give the address of a camera, and how many readings to print.',
  );

const api = createApi({ url: API_URL, apiKey: API_KEY });

const device = await dataOf(api.POST('/devices', { body: { name: 'Till 1', streamUrl } }));
// Points are shares of the width and the height of the picture. People stand in the zone in which their feet are.
const queueZone = {
  type: 'polygon' as const,
  points: [
    [0.05, 0.4],
    [0.95, 0.4],
    [0.95, 0.98],
    [0.05, 0.98],
  ] as [number, number][],
};
const scene = await dataOf(
  api.POST('/scenes', {
    body: {
      deviceId: device.id,
      name: 'Queue',
      analysisType: 'queue_analysis',
      config: { zones: { queueZone } },
    },
  }),
);
const path = { id: device.id };
await dataOf(api.POST('/devices/{id}/analysis/start', { params: { path }, body: { sceneId: scene.id } }));

for (let shown = 0; shown < Number(readings); ) {
  await pause(1_000);
  const { latestMetrics } = await dataOf(api.GET('/scenes/{id}', { params: { path: { id: scene.id } } }));
  // Null until the first frame was analysed.
  if (!latestMetrics) continue;
  const { inQueue, maxWaitSeconds } = latestMetrics.current;
  console.log(`${inQueue} people wait, the longest for ${Math.round(maxWaitSeconds ?? 0)} s`);
  shown += 1;
}
await dataOf(api.POST('/devices/{id}/analysis/stop', { params: { path }, body: {} }));
