import { networkPolicy } from '../../src/cameras/devices/camera-network.ts';
import type { LaneCamera, LaneOptions } from '../../src/lanes/lane-protocol.ts';
import { DEFAULT_MODEL } from '../../src/models/cards.ts';
import { type Config, MODELS_DIR } from '../../src/platform/config.ts';
import { SHOP_ZONES } from '../../src/simulator/shop-zones.ts';
import { NO_PRIVACY } from '../../src/vision/privacy.ts';
import { sceneConfigSchema } from '../../src/vision/scene-config.ts';

/** A lane with one thread and without attribute models. */
export const laneOptions = (config: Config): LaneOptions => ({
  model: DEFAULT_MODEL,
  attributeModels: [],
  modelsDir: MODELS_DIR,
  cacheDir: config.modelCacheDir,
  threads: 1,
  executionProvider: 'cpu',
  attributeProvider: 'cpu',
  hardware: null,
  ffmpegPath: config.ffmpegPath,
  ffprobePath: config.ffprobePath,
  network: networkPolicy(config),
  watchdogMs: 20_000,
  minAnalysisFps: 2,
  skipStillFrames: false,
  holdStillPeople: false,
  clockOffsetMs: 0,
});

/** A camera of five frames a second with one run, `run of` its id, in the zones of the simulated shop. */
export const laneCamera = (deviceId: string, url: string, networks: readonly string[] = []): LaneCamera => ({
  ...{ deviceId, url, networks, fps: 5, attributes: false, privacy: NO_PRIVACY },
  scenes: [
    {
      sceneId: deviceId,
      runId: `run of ${deviceId}`,
      config: sceneConfigSchema.parse({ zones: SHOP_ZONES, parameters: {} }),
      checkpoint: null,
    },
  ],
});
