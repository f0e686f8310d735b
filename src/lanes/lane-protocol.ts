import type { DeviceCondition } from '../cameras/devices/condition.ts';
import type { NetworkPolicy } from '../platform/network/network-policy.ts';
import type { NodeReason } from '../platform/processes/node-reason.ts';
import type { Decoding, StreamEvent, StreamInfo } from '../video/frame-source.ts';
import type { Hardware } from '../video/hardware/hardware.ts';
import type { Rotation } from '../video/picture/turn.ts';
import type { AttributeUpdate } from '../vision/attributes/attribute-watch.ts';
import type { ExecutionProvider } from '../vision/detect/detector.ts';
import type { SceneObservation } from '../vision/pipeline.ts';
import type { Privacy } from '../vision/privacy.ts';
import type { AnalysedPart, AnalysisAccuracy, AnalysisRegion } from '../vision/region.ts';
import type { SceneConfig, Visit } from '../vision/types.ts';

/**
 * The messages between a node and its lanes, over the IPC channel of the child process. Both ends are the same build, so
 * these types are the whole contract. Everything is plain JSON, but for the bytes of images.
 */

/** One run of a scene. */
export interface LaneScene {
  readonly sceneId: string;
  readonly runId: string;
  readonly config: SceneConfig;
  /** The last checkpoint of another lane or node, as JSON; null at the first start. */
  readonly checkpoint: string | null;
}

export interface LaneCamera {
  readonly deviceId: string;
  /** Of the stream that is analysed. */
  readonly url: string;
  /** Where `url` is a second stream of the camera: its main one. Otherwise null. */
  readonly main?: MainStream | null;
  /** The networks to which camera addresses of this user may lead; empty: those of the network policy. */
  readonly networks: readonly string[];
  /** The highest number of frames to analyse in a second. */
  readonly fps: number;
  /** Whether people's attributes are classified. */
  readonly attributes: boolean;
  /** `zones`: only the part of the picture around them, where that is possible. Left out: the whole picture. */
  readonly analysisRegion?: AnalysisRegion;
  /** `high`: frames as large as the larger input of the detector. Left out: of the standard size. */
  readonly accuracy?: AnalysisAccuracy;
  /** How its frames are turned before anything else, also those of `main`. Left out: not at all. */
  readonly rotation?: Rotation;
  /** What pictures of this camera may show. A change reaches the next picture. */
  readonly privacy: Privacy;
  readonly scenes: readonly LaneScene[];
  /** Only of recordings, which have one scene. */
  readonly recording?: LaneRecording;
}

/** A recording, which has one scene. */
export interface RecordedCamera extends LaneCamera {
  readonly scenes: readonly [LaneScene];
  readonly recording: LaneRecording;
}

export const isRecorded = (camera: LaneCamera): camera is RecordedCamera => camera.recording !== undefined;

export interface MainStream {
  readonly url: string;
  /** In pixels; null while it is not known. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** What part of a recording is to be analysed. */
export interface LaneRecording {
  /** The video of its file that is analysed, by its number among them. */
  readonly videoTrack: number;
  /** Frame time of its beginning. */
  readonly recordedAtMs: number;
  /** Presentation time of the last frame that was analysed, in ms; null: none was. It belongs to the checkpoint of the scene. */
  readonly afterMs: number | null;
}

export interface LaneOptions {
  readonly model: string;
  /** In the order in which they own keys. */
  readonly attributeModels: readonly string[];
  readonly modelsDir: string;
  readonly cacheDir: string;
  readonly threads: number;
  /** What runs the detector. */
  readonly executionProvider: ExecutionProvider;
  /** The most frames of several cameras in one run of the detector; 1 by default. */
  readonly batchSize?: number;
  /** What runs the attribute models. */
  readonly attributeProvider: ExecutionProvider;
  /** Undefined: found by the lane. */
  readonly ffmpegPath?: string | undefined;
  readonly ffprobePath?: string | undefined;
  /** What decodes the video of cameras; null: software. */
  readonly hardware: Hardware | null;
  /** For cameras of users without networks of their own. */
  readonly network: NetworkPolicy;
  readonly watchdogMs: number;
  /** The lowest limit of frames a second for each camera when the lane is too busy. */
  readonly minAnalysisFps: number;
  /** Whether the detector leaves out frames in which nothing has changed. */
  readonly skipStillFrames: boolean;
  /** … and frames in which people stand still. */
  readonly holdStillPeople: boolean;
  /** What to add to this machine's clock to get the database's. */
  readonly clockOffsetMs: number;
}

export type ToLane =
  | ({ readonly type: 'open' } & LaneOptions)
  | { readonly type: 'clock'; readonly offsetMs: number }
  | { readonly type: 'addCamera'; readonly camera: LaneCamera }
  /** Ends the runs that are not in `camera`. Another url, fps or other networks open the camera stream again. */
  | { readonly type: 'updateCamera'; readonly camera: LaneCamera; readonly drain: boolean }
  | { readonly type: 'removeCamera'; readonly deviceId: string; readonly drain: boolean }
  | ({ readonly type: 'watch'; readonly deviceId: string } & LiveRequest)
  /** The node has stored the batches of a recording up to this one. */
  | { readonly type: 'stored'; readonly deviceId: string; readonly batch: number }
  | { readonly type: 'stop' }
  | ({ readonly requestId: number } & LaneQuestion);

/** How live pictures of a camera are wanted. */
export interface LiveRequest {
  /** Pixels; a picture is never larger than its frame. */
  readonly width: number;
  /** Most pictures a second. */
  readonly fps: number;
  /** How long they are wanted; 0: no longer. */
  readonly forMs: number;
  /** Each also with the people whom the account hides. */
  readonly showsPeople?: boolean;
}

/** A message that the lane answers under the same `requestId`. */
export type LaneQuestion =
  /** An image of a camera of this lane. `frameIndex` null: of the newest frame. */
  | { readonly type: 'image'; readonly deviceId: string; readonly frameIndex: number | null }
  /** An image of a camera stream that no camera of this lane reads. */
  | {
      readonly type: 'grab';
      readonly url: string;
      readonly networks: readonly string[];
      readonly privacy: Privacy;
      readonly rotation?: Rotation;
      readonly timeoutMs: number;
    }
  /** The time of one detection. */
  | { readonly type: 'measure' };

/** One analysed frame of one run. */
export interface RunObservation {
  readonly runId: string;
  readonly observation: SceneObservation;
  /** Every open visit after this frame. */
  readonly openVisits: readonly Visit[];
  /** Only of recordings: people whose attributes have changed before this frame. */
  readonly people?: readonly AttributeUpdate[];
}

/**
 * Frames of a recording in the order of time, and the state after the last of them. The node stores all of it in one
 * transaction, so that no frame counts twice and none is missing when another lane or node continues.
 */
export interface RecordedMessage {
  readonly type: 'recorded';
  readonly runId: string;
  /** Counts from 1. */
  readonly batch: number;
  /** Presentation time of the last frame, whether it could be analysed or not, in whole ms. */
  readonly positionMs: number;
  /** See `RunStats`. */
  readonly wantedRotation?: Rotation | null;
  readonly observations: readonly RunObservation[];
  /** Exact, see `ScenePipeline.checkpoint`. */
  readonly checkpoint: string;
}

/** A checkpoint stays JSON text: only the pipeline of the next lane or node reads it. */
export interface RunCheckpoint {
  readonly runId: string;
  readonly checkpoint: string;
}

/** People of a run whose attributes have changed. */
export interface RunPeople {
  readonly runId: string;
  readonly people: readonly AttributeUpdate[];
}

export interface DecodingPercent {
  /** Which stream of the camera it is. */
  readonly stream: 'main' | 'second';
  /** Of a core. */
  readonly percent: number;
}

export interface CameraStats extends DeviceCondition {
  readonly deviceId: string;
  /** What decoding the stream that is read costs; missing while that is not measured. */
  readonly decodingCost?: DecodingPercent | undefined;
  readonly processedFrames: number;
  /** Of these, frames without a detection, because nothing had changed. */
  readonly skippedFrames: number;
  /** Of these, frames in which people stood still. */
  readonly heldFrames: number;
  readonly droppedFrames: number;
  /** Moments at which a frame came from the camera, at most `fps` a second. */
  readonly deliveredFrames: number;
  /** Video that the camera has sent waits all the time, or frames are skipped for that reason: the decoder is too slow. */
  readonly isDecoderBehind: boolean;
  /** Which frames are decoded; the others are skipped before. */
  readonly decoding: Decoding;
  /** The decoder is behind, and no more frames can be skipped. */
  readonly isDecodingLeast: boolean;
  /** Frames a second of a simulated camera or a file; null for a real camera. */
  readonly ownFps: number | null;
  /** What is analysed; null before the first frame, and of recordings, which are analysed as a whole. */
  readonly analysed: AnalysedPart | null;
  /** How often the camera stream was opened again. */
  readonly restarts: number;
  /** Moving average of the time from the arrival of a frame to the end of its analysis. */
  readonly lagMs: number;
  /** Frames processed a second over the last ten seconds. */
  readonly fps: number;
  /** Of frames that were not skipped. */
  readonly avgProcessingTimeMs: number;
}

/** What happened to a camera stream. */
export interface StreamMessage extends Omit<StreamEvent, 'type' | 'delayMs'> {
  readonly type: 'stream';
  readonly deviceId: string;
  readonly event: StreamEvent['type'] | 'opened';
  /** Only with `opened`. */
  readonly info: Pick<StreamInfo, 'width' | 'height' | 'codec' | 'sourceFps'> | null;
}

/** The last message about a run: it was removed, or its file ended. */
export interface RunEndedMessage {
  readonly type: 'runEnded';
  readonly runId: string;
  readonly endOfStream: boolean;
  readonly last: RunObservation | null;
}

/** The model is loaded and was measured. */
export interface LaneReady {
  readonly model: string;
  readonly executionProvider: ExecutionProvider;
  /** Why it is not the one of the options, one sentence; null when it is. */
  readonly fallback: string | null;
  readonly msPerFrame: number;
}

/** A JPEG, or the reason why there is none, one sentence; both null when the reason is not known. */
export interface LaneImage {
  readonly jpeg: Uint8Array | null;
  /** Time of its frame; null without a JPEG. */
  readonly capturedAtMs: number | null;
  /** `Privacy.revision` for which it was made; null without a JPEG. */
  readonly privacyRevision: number | null;
  readonly fault: string | null;
}

/** A live picture: a frame that was just analysed. */
export interface LivePictureMessage {
  readonly type: 'livePicture';
  readonly deviceId: string;
  readonly capturedAtMs: number;
  /** `Privacy.revision` for which it was made. */
  readonly privacyRevision: number;
  /** The people in this frame, as the header X-Tracks has them. */
  readonly tracks: string;
  /** The staff in this frame, as the header X-Staff has them; null where there is none. */
  readonly staff?: string | null;
  /** Who waits and who is served after this frame, by scene: `{"<scene id>":[waiting, served]}`. */
  readonly counts?: string;
  readonly jpeg: Uint8Array;
  /** Where wanted: the same picture with the people whom the account hides, under its masks. Empty where none are hidden. */
  readonly shown?: Uint8Array;
}

export type LaneAnswer = { readonly requestId: number } & (
  | ({ readonly type: 'image' } & LaneImage)
  | { readonly type: 'measured'; readonly msPerFrame: number }
);

export type FromLane =
  | ({ readonly type: 'ready' } & LaneReady)
  /** The GPU of the lane failed. The lane does nothing more and is to be replaced. */
  | { readonly type: 'lost'; readonly message: string }
  /** The model or ffmpeg cannot be used. The lane waits to be stopped. */
  | { readonly type: 'unusable'; readonly message: string }
  /**
   * `checkpoints`: of the runs whose visits changed in these observations, and of every run each two seconds. They come in
   * the same message, so that a visit's number is never stored without the checkpoint that knows it is used.
   */
  | {
      readonly type: 'observations';
      readonly runs: readonly RunObservation[];
      readonly checkpoints: readonly RunCheckpoint[];
    }
  | RecordedMessage
  | { readonly type: 'people'; readonly runs: readonly RunPeople[] }
  | StreamMessage
  /** The lane's heartbeat, once a second, also without cameras. */
  | {
      readonly type: 'alive';
      readonly rssBytes: number;
      readonly cameras: readonly CameraStats[];
      /** Why software decodes a camera here that `hardware` should; null while it does. */
      readonly hardwareFault: NodeReason | null;
    }
  | RunEndedMessage
  | LivePictureMessage
  | LaneAnswer;
