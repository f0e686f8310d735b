import { Discoveries } from '../../cameras/discovery/discoveries.ts';
import { requireDirectDatabaseUrl } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { CHANNELS, listen } from '../../platform/database/notify.ts';
import { FrameRequests, type FrameRequestsParts } from './images/frame-requests.ts';
import type { Supervisor } from './supervisor.ts';

interface NodeListenerParts {
  readonly context: Context;
  readonly nodeId: string;
  readonly lanes: FrameRequestsParts['lanes'];
  readonly supervisor: Supervisor;
}

/** Passes on what the API asks of nodes by `NOTIFY`: runs, images, live pictures, searches for cameras. */
export function listenAsNode({ context, nodeId, lanes, supervisor }: NodeListenerParts): {
  close(): Promise<void>;
} {
  const { config, logger } = context;
  const frameRequests = new FrameRequests({ context, nodeId, lanes });
  const discoveries = new Discoveries({ context, nodeId });
  const discover = () =>
    discoveries.run().catch((error: unknown) => {
      logger.warn({ err: error }, 'searches for cameras could not be read');
    });
  const listener = listen({
    databaseUrl: requireDirectDatabaseUrl(config),
    channels: [CHANNELS.runs, CHANNELS.frames, CHANNELS.rules, CHANNELS.liveWishes, CHANNELS.discoveries],
    onConnect: () => {
      supervisor.runsChanged();
      void discover();
    },
    onLost: (error) => logger.warn({ err: error }, 'no notifications arrive: connecting again'),
    onNotify: (channel, payload) => {
      const onError = (error: unknown) =>
        logger.warn({ err: error, deviceId: payload }, 'a request for images could not be answered');
      if (channel === CHANNELS.runs) supervisor.runsChanged();
      else if (channel === CHANNELS.discoveries) void discover();
      else if (channel === CHANNELS.rules) supervisor.rulesChanged(payload);
      else if (channel === CHANNELS.liveWishes) supervisor.picturesWished(payload).catch(onError);
      else frameRequests.answer(payload, supervisor.isStreaming(payload)).catch(onError);
    },
  });
  return {
    async close() {
      await listener.close();
      await discoveries.stop();
    },
  };
}
