import { z } from 'zod';
import { deviceCondition, FAULT_REASONS } from '../devices/condition.ts';
import { networkPolicySchema } from '../platform/network/network-policy.ts';
import { ALL_ATTRIBUTE_KEYS } from '../vision/attributes/keys.ts';
import { sceneConfigSchema } from '../vision/scene-config.ts';

/**
 * What a supervisor and its lanes say to each other over the child's IPC channel. Frames never cross it:
 * observations of a few hundred bytes go up, and a JPEG where one was asked for.
 */

/** One run of a scene as a lane needs it. */
const laneScene = z.object({
  sceneId: z.string(),
  runId: z.string(),
  config: sceneConfigSchema,
  /** What a former lane or node knew of the open visits, as JSON; null at the first start. */
  checkpoint: z.string().nullable(),
});
export type LaneScene = z.infer<typeof laneScene>;

/** Where streams of a user may lead; empty: as for everybody else. */
const networks = z.array(z.string()).readonly();

const camera = z.object({
  deviceId: z.string(),
  url: z.string(),
  networks,
  /** Frames a second to analyse, at most. */
  fps: z.number().positive(),
  /** Whether people's attributes are wanted. */
  attributes: z.boolean(),
  scenes: z.array(laneScene),
});
export type LaneCamera = z.infer<typeof camera>;

export const toLane = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    model: z.string(),
    /** Of pedestrian attributes, in the order in which they own keys. */
    attributeModels: z.array(z.string()),
    modelsDir: z.string(),
    cacheDir: z.string(),
    threads: z.number().int().positive(),
    executionProvider: z.enum(['cpu', 'cuda']),
    /** Undefined: looked up. */
    ffmpegPath: z.string().optional(),
    ffprobePath: z.string().optional(),
    /** Where streams of users without networks of their own may lead. */
    network: networkPolicySchema,
    watchdogMs: z.number().positive(),
    /** Frames a second of each camera below which a lane that does not keep up leaves none out. */
    minAnalysisFps: z.number().positive(),
    clockOffsetMs: z.number(),
  }),
  /** What to add to this machine's clock to have the database's. */
  z.object({ type: z.literal('clock'), offsetMs: z.number() }),
  z.object({ type: z.literal('addCamera'), camera }),
  /** Runs it does not name any more end; a changed url or fps, or other networks, open the stream again. */
  z.object({ type: z.literal('updateCamera'), camera, drain: z.boolean() }),
  z.object({ type: z.literal('removeCamera'), deviceId: z.string(), drain: z.boolean() }),
  z.object({
    type: z.literal('picture'),
    requestId: z.number(),
    deviceId: z.string(),
    /** null: the newest. */
    frameIndex: z.number().nullable(),
  }),
  /** One picture of a stream that no camera reads. */
  z.object({
    type: z.literal('grab'),
    requestId: z.number(),
    url: z.string(),
    networks,
    timeoutMs: z.number(),
  }),
  /** The time of a detection is wanted anew. */
  z.object({ type: z.literal('measure'), requestId: z.number() }),
  z.object({ type: z.literal('stop') }),
]);
export type ToLane = z.infer<typeof toLane>;
export type LaneOptions = Omit<Extract<ToLane, { type: 'open' }>, 'type'>;

const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
const visit = z.object({
  id: z.number(),
  trackId: z.number(),
  state: z.enum(['queued', 'in_service', 'closed', 'discarded']),
  queueEnteredAtMs: z.number().nullable(),
  queueLeftAtMs: z.number().nullable(),
  serviceStartedAtMs: z.number().nullable(),
  serviceEndedAtMs: z.number().nullable(),
  outcome: z.enum(['completed', 'abandoned', 'lost']).nullable(),
  arrivalDecidedAtMs: z.number(),
  outcomeDecidedAtMs: z.number().nullable(),
});
const sceneObservation = z.object({
  sceneId: z.string(),
  timeMs: z.number(),
  frameIndex: z.number(),
  tracks: z
    .array(z.object({ id: z.number(), box, zone: z.enum(['queue', 'checkout']).nullable() }))
    .readonly(),
  changes: z.array(visit).readonly(),
  open: z.object({ queued: z.number(), inService: z.number() }),
  staff: z
    .object({
      present: z.number(),
      people: z.number(),
      meanDecisionSeconds: z.number().nullable(),
      longestDecisionSeconds: z.number().nullable(),
    })
    .nullable(),
});

/** One processed frame as one run saw it. `open` is every open visit after it. */
const runObservation = z.object({
  runId: z.string(),
  observation: sceneObservation,
  openVisits: z.array(visit).readonly(),
});
export type RunObservation = z.infer<typeof runObservation>;

/** As text: nobody on the way to the next lane or node looks into it, and a node holds one of each run. */
const runCheckpoint = z.object({ runId: z.string(), checkpoint: z.string() });
export type RunCheckpoint = z.infer<typeof runCheckpoint>;

const attributeKeys = z.array(z.enum(ALL_ATTRIBUTE_KEYS)).readonly();
const personNews = z.object({
  trackId: z.number(),
  classifiedAtMs: z.number(),
  attributes: attributeKeys,
  known: attributeKeys,
  confidence: z.number(),
});
/** People of a run of whom more is known than before. */
const runPeople = z.object({ runId: z.string(), people: z.array(personNews).readonly() });
export type RunPeople = z.infer<typeof runPeople>;

const cameraStats = z.object({
  deviceId: z.string(),
  processedFrames: z.number(),
  droppedFrames: z.number(),
  /** Moments at which a frame came from the camera, at the wanted rate at most. */
  deliveredFrames: z.number(),
  /** Frames a second of what is drawn or played here; null of a camera, which sends what it sends. */
  ownFps: z.number().nullable(),
  /** Times its stream was opened again. */
  restarts: z.number(),
  /** From the arrival of a frame until it is analysed, lately. */
  lagMs: z.number(),
  /** Frames processed a second over the last ten seconds. */
  fps: z.number(),
  avgProcessingTimeMs: z.number(),
  ...deviceCondition,
});
export type CameraStats = z.infer<typeof cameraStats>;

export const fromLane = z.discriminatedUnion('type', [
  /** The model is loaded and was measured. */
  z.object({
    type: z.literal('ready'),
    model: z.string(),
    executionProvider: z.enum(['cpu', 'cuda']),
    inputWidth: z.number(),
    inputHeight: z.number(),
    msPerFrame: z.number().positive(),
  }),
  z.object({ type: z.literal('measured'), requestId: z.number(), msPerFrame: z.number().positive() }),
  /** The model or ffmpeg cannot be used; it waits to be stopped. */
  z.object({ type: z.literal('unusable'), message: z.string() }),
  /**
   * `checkpoints`: of the runs whose visits changed in these observations, and of each run now and then. They come
   * together so that a visit's number is never written without the checkpoint that knows it is taken.
   */
  z.object({
    type: z.literal('observations'),
    runs: z.array(runObservation),
    checkpoints: z.array(runCheckpoint),
  }),
  z.object({ type: z.literal('people'), runs: z.array(runPeople).readonly() }),
  z.object({
    type: z.literal('stream'),
    deviceId: z.string(),
    event: z.enum(['opened', 'started', 'stalled', 'ended', 'failed', 'restarting']),
    /** One sentence, without credentials. */
    message: z.string(),
    /** The same for programs; null where it is no fault. */
    faultReason: z.enum(FAULT_REASONS).nullable(),
    /** The stream holds no video that ffmpeg can decode. */
    isUndecodable: z.boolean(),
    restartsInARow: z.number(),
    restartsWithoutFrame: z.number(),
    /** With `opened`. */
    info: z
      .object({
        width: z.number(),
        height: z.number(),
        codec: z.string(),
        sourceFps: z.number().nullable(),
      })
      .nullable(),
  }),
  /** Once a second, cameras or not: also the sign of life. */
  z.object({ type: z.literal('alive'), rssBytes: z.number(), cameras: z.array(cameraStats) }),
  /** The last word about a run: it was taken off, or its file ended. */
  z.object({
    type: z.literal('runEnded'),
    runId: z.string(),
    endOfStream: z.boolean(),
    last: runObservation.nullable(),
  }),
  z.object({
    type: z.literal('picture'),
    requestId: z.number(),
    jpeg: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
    /** Why there is none, one sentence; null where nothing more is known. */
    fault: z.string().nullable(),
  }),
]);
export type FromLane = z.infer<typeof fromLane>;
