import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { useAction, useList } from '../api/query.ts';
import { Age, Time } from '../kit/age.tsx';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Icon } from '../kit/icon.tsx';
import { Empty, Failure, FormFailure, MoreButton, Skeleton } from '../kit/states.tsx';
import { Tile, type Tone } from '../kit/tile.tsx';
import { useText } from '../text/text.ts';
import styles from './admin.module.css';
import { useSkewText } from './node-texts.ts';
import { type ComputeNode, isLastTaker, type NodeState, saidOf, stateOf, worstFirst } from './nodes.ts';
import { REFRESH_MS } from './refresh.ts';

const TONES: Readonly<Record<NodeState, Tone>> = {
  healthy: 'good',
  degraded: 'warn',
  draining: 'info',
  full: 'info',
  offline: 'off',
};

/** The compute nodes, and why one works badly. */
export function NodesTab() {
  const t = useText('admin').nodes;
  const list = useList(
    ['admin', 'nodes'],
    (page) => api.GET('/admin/compute-nodes', { params: { query: { page, limit: 50 } } }),
    { refetchInterval: REFRESH_MS },
  );
  const [leaving, setLeaving] = useState<ComputeNode | null>(null);
  if (list.isPending) return <Skeleton />;
  if (list.error && list.items.length === 0)
    return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (list.items.length === 0) {
    return (
      <Empty title={t.empty} icon="admin">
        {t.emptyNext}
      </Empty>
    );
  }
  return (
    <div className="stack">
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="cards" role="list">
        {worstFirst(list.items).map((node) => (
          <li key={node.id}>
            <NodeCard node={node} onDrain={() => setLeaving(node)} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      {leaving && (
        <DrainDialog
          node={leaving}
          isLast={isLastTaker(leaving, list.items)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

const useDrain = (onDone?: () => void) =>
  useAction(
    ({ id, isDraining }: { id: string; isDraining: boolean }) =>
      api.PATCH('/admin/compute-nodes/{id}', { params: { path: { id } }, body: { isDraining } }),
    { changes: [['admin']], ...(onDone && { onDone }) },
  );

function NodeCard({ node, onDrain }: { readonly node: ComputeNode; readonly onDrain: () => void }) {
  const t = useText('admin').nodes;
  const skewText = useSkewText();
  const undrain = useDrain();
  const state = stateOf(node);
  const tone = TONES[state];
  const { id, name, host, activeDeviceCount, maxConcurrentDevices, model } = node;
  const { healthReason, providerReason, videoDecoderReason } = node;
  return (
    <Tile tone={tone}>
      <div className="spread">
        <h3 className={styles.name}>{name}</h3>
        <Chip tone={tone}>{t.state[state]}</Chip>
      </div>
      {state === 'offline' && <p className="note">{t.silent}</p>}
      {healthReason !== null && (
        <div className="notice" data-tone="warn">
          <Icon name="warning" size={20} />
          <Reason cause={node.healthCause} sentence={healthReason} />
        </div>
      )}
      <div>
        <progress
          value={activeDeviceCount}
          max={Math.max(1, maxConcurrentDevices)}
          aria-label={t.cameras(activeDeviceCount, maxConcurrentDevices)}
        />
        <span>{t.cameras(activeDeviceCount, maxConcurrentDevices)}</span>
      </div>
      <dl className="details">
        <Detail title={t.host}>{host}</Detail>
        <Detail title={t.model}>{model ?? t.none}</Detail>
        <Detail title={t.provider}>
          {node.executionProvider === 'cpu' ? t.cpu : (node.adapter ?? node.executionProvider ?? t.none)}
        </Detail>
        {node.batchSize > 1 && <Detail title={t.batch}>{node.batchSize}</Detail>}
        <Detail title={t.decoder}>
          {node.videoDecoder === 'software' ? t.cpu : (node.videoDecoder ?? t.none)}
        </Detail>
        <Detail title={t.clock}>{skewText(node.clockSkewMs)}</Detail>
        <Detail title={t.version}>{node.version}</Detail>
        <Detail title={t.started}>
          <Time at={node.startedAt} />
        </Detail>
        <Detail title={t.heartbeat}>
          <Age since={node.lastHeartbeatAt} />
        </Detail>
      </dl>
      {providerReason !== null && <Reason cause={node.providerCause} sentence={providerReason} />}
      {videoDecoderReason !== null && <Reason cause={node.videoDecoderCause} sentence={videoDecoderReason} />}
      <FormFailure error={undrain.error} />
      {state !== 'offline' &&
        (node.isDraining ? (
          <Button isBusy={undrain.isPending} onClick={() => undrain.mutate({ id, isDraining: false })}>
            {t.undrain}
          </Button>
        ) : (
          <Button onClick={onDrain}>{t.drain}</Button>
        ))}
    </Tile>
  );
}

interface ReasonProps {
  readonly cause: ComputeNode['healthCause'];
  readonly sentence: string;
}

function Reason({ cause, sentence }: ReasonProps) {
  const said = saidOf(cause, useText('admin').nodes.causes);
  return (
    <div className={styles.said}>
      <p>{said?.text ?? sentence}</p>
      {typeof said?.detail === 'string' && <p className="note">{said.detail}</p>}
    </div>
  );
}

function Detail({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface DrainDialogProps {
  readonly node: ComputeNode;
  readonly isLast: boolean;
  readonly onClose: () => void;
}

function DrainDialog({ node: { id, name }, isLast, onClose }: DrainDialogProps) {
  const t = useText('admin').nodes;
  const common = useText('common');
  const drain = useDrain(onClose);
  return (
    <Dialog
      title={t.drainTitle(name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" isBusy={drain.isPending} onClick={() => drain.mutate({ id, isDraining: true })}>
            {t.drain}
          </Button>
        </>
      }
    >
      <p>{t.drainText}</p>
      {isLast && (
        <p className="notice" data-tone="warn">
          <Icon name="warning" size={20} />
          <span>{t.drainLast}</span>
        </p>
      )}
      <FormFailure error={drain.error} />
    </Dialog>
  );
}
