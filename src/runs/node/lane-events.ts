import type { PoolListener } from '../../lanes/lane-pool.ts';
import { storeStreamReport } from '../record/cameras/outage-notification.ts';
import type { NodeParts } from './node-parts.ts';
import type { RunLifecycle } from './run-lifecycle.ts';

/** Passes what the lanes report to the run or camera that it concerns. */
export function laneEvents(parts: NodeParts, lifecycle: RunLifecycle): PoolListener {
  const {
    context,
    node,
    runs,
    alerts,
    captures,
    cameras,
    frameClock,
    availability,
    livePictures,
    now,
    soon,
  } = parts;
  const onError = (error: unknown) => availability.failed(error);
  return {
    requestedCamera: (deviceId) => runs.requestedCamera(deviceId),

    onObservations(observations) {
      const nowMs = now();
      for (const observed of observations) {
        const run = runs.byKey(observed.runId);
        if (!run) continue;
        const isFirst = run.firstFrameAtMs === null;
        const fired = run.observe(observed, nowMs);
        if (fired) alerts.add(fired);
        captures.addDue(run);
        cameras.frame(run.claim.deviceId, observed.observation.timeMs, nowMs);
        if (!isFirst) continue;
        node.addInitMs(nowMs - run.claimedAtMs);
        soon('record');
      }
    },

    onRecorded(message) {
      const run = runs.byKey(message.runId);
      if (!run) return;
      const isFirst = run.firstFrameAtMs === null;
      run.takeRecorded(message, now(), () => captures.addDue(run));
      if (isFirst) soon('record');
    },

    onPeople(reports) {
      for (const { runId, people } of reports) runs.byKey(runId)?.people.learn(people);
    },

    onCheckpoint: (key, checkpoint) => runs.byKey(key)?.setCheckpoint(checkpoint),

    onStats(stats) {
      const { deviceId } = stats;
      const device = runs.device(deviceId);
      if (!device) return;
      runs.setCounted(deviceId, stats);
      for (const run of runs.ofDevice(deviceId)) run.addStats(stats);
      if (device.isRecording) return;
      const ofZones = runs.ofDevice(deviceId).flatMap(({ zoneWarning }) => zoneWarning ?? []);
      const warnings = [...stats.warnings, ...ofZones];
      cameras.report(
        deviceId,
        { ...stats, warnings },
        { nowMs: now(), frameMs: frameClock.now(), requestedFps: device.fps },
      );
    },

    onStream(report) {
      const { deviceId, message, faultReason: reason } = report;
      const device = runs.device(deviceId);
      if (!device) return;
      for (const run of runs.ofDevice(deviceId)) run.streamError = reason === null ? null : message;
      if (device.isRecording) return;
      if (reason !== null) {
        cameras.streamStopped(deviceId, { reason, message, sinceMs: frameClock.now() });
        soon('record');
      }
      storeStreamReport(context.db, report, device.revision).catch(onError);
    },

    onRunEnded({ runId, endOfStream, last }) {
      const run = runs.byKey(runId);
      if (!run) return;
      const isExpected = run.stoppingSinceMs !== null || endOfStream;
      if (isExpected) lifecycle.end(run, { command: 'stop', errorMessage: null }, last);
      else if (run.streamError) lifecycle.end(run, { command: 'fail', errorMessage: run.streamError }, last);
      // Nothing is wrong with the stream: the lane and the node are of two minds, as after a lapsed lease. The run goes on from
      // what is stored.
      else lifecycle.pause(run, 'its lane has ended it');
    },

    onLivePicture: (picture) => livePictures.take(picture),

    onCrashLimit(deviceIds, how) {
      const times = `ended three times within 5 minutes (${how}).`;
      const failed = deviceIds.flatMap((deviceId) => runs.ofDevice(deviceId));
      lifecycle.fail(failed, `The detection process of this camera ${times}`);
      const cause = { code: 'lanes_ended', detail: how } as const;
      node.lanesCrashed({ sentence: `A detection process ${times}`, cause }).catch(onError);
    },
  };
}
