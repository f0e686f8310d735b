import { findPrivacyRevision } from '../../cameras/devices/privacy.store.ts';
import { FrameClock } from '../../lanes/frame-clock.ts';
import type { LanePool } from '../../lanes/lane-pool.ts';
import type { Context } from '../../platform/context.ts';
import { AlertRecorder } from '../record/alerts/alert-recorder.ts';
import { loadRunRules } from '../record/alerts/load-run-rules.ts';
import type { AlertContext } from '../record/alerts/record-alert.ts';
import { CameraStates } from '../record/cameras/camera-states.ts';
import { CaptureRecorder } from '../record/captures/capture-recorder.ts';
import { NodeRuns } from '../record/node-runs.ts';
import { UserWriteQueue } from '../record/user-write-queue.ts';
import { DatabaseAvailability } from './database-availability.ts';
import { LivePictures } from './images/live-pictures.ts';
import { presentPicture } from './images/present-pictures.ts';
import type { NodeMember } from './node-member.ts';
import { RecordingFiles } from './recordings/recording-files.ts';

/** What a node needs of the lanes; a `LanePool` in the worker. */
export type Lanes = Pick<LanePool, 'connect' | 'put' | 'anchor' | 'endStuck' | 'image' | 'watch' | 'stored'>;

/** The repeated steps of a node. */
export type Step = 'claim' | 'renew' | 'maintain' | 'record' | 'watch';

interface GivenParts {
  readonly context: AlertContext & Pick<Context, 'sealer'>;
  readonly node: NodeMember;
  readonly lanes: Lanes;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Repeats a step as soon as possible, without waiting for its next turn. */
  readonly soon: (step: Step) => void;
}

/** The state of a node and the writers of its records. All steps share it. */
export interface NodeParts extends GivenParts {
  readonly frameClock: FrameClock;
  readonly availability: DatabaseAvailability;
  readonly runs: NodeRuns;
  readonly cameras: CameraStates;
  readonly userWrites: UserWriteQueue;
  readonly alerts: AlertRecorder;
  readonly captures: CaptureRecorder;
  readonly livePictures: LivePictures;
  readonly recordingFiles: RecordingFiles;
}

export function createParts(given: GivenParts): NodeParts {
  const { context, node, lanes, now, soon } = given;
  const { db, logger: log } = context;
  const runs = new NodeRuns();
  const userWrites = new UserWriteQueue();
  const availability = new DatabaseAvailability({
    log,
    now,
    // Paused runs and waiting records continue at once.
    onBack: () => {
      soon('renew');
      soon('record');
    },
  });
  const alerts = new AlertRecorder({
    context,
    userWrites,
    image: (deviceId, frameIndex, timeoutMs) =>
      presentPicture(
        () => lanes.image(deviceId, frameIndex, timeoutMs),
        // While the database is away it is not known. The alert is recorded later, and looks again.
        ({ privacyRevision }) =>
          findPrivacyRevision(db, deviceId).then(
            (present) => present === privacyRevision,
            () => true,
          ),
      ),
    // The stored state of the rule is the right one.
    onRefused: (runId, ruleId) => {
      const run = runs.get(runId);
      if (!run) return;
      run.rules.forget(ruleId);
      loadRunRules(db, [run]).catch((error: unknown) => availability.failed(error));
    },
  });
  return {
    ...given,
    frameClock: new FrameClock(),
    availability,
    runs,
    cameras: new CameraStates({ nodeId: node.id, log, onOverload: () => soon('renew') }),
    userWrites,
    alerts,
    captures: new CaptureRecorder(context, node.id, userWrites),
    recordingFiles: new RecordingFiles(context, node.id),
    livePictures: new LivePictures({
      ...{ context, lanes, now },
      isStreamed: (deviceId) => runs.requestedCamera(deviceId) !== null,
    }),
  };
}
