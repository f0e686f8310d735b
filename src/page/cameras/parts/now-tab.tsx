import { Fragment, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { type RunStats, skippedPercent } from '../../api/run-stats.ts';
import { useSession } from '../../api/session.tsx';
import { Age, Time } from '../../kit/age.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { number } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { Async, Empty } from '../../kit/states.tsx';
import { Tile } from '../../kit/tile.tsx';
import { zoneName } from '../../kit/time.ts';
import { localeNow, useText } from '../../text/text.ts';
import { type CameraFacts, cameraState, TONES } from '../camera-state.ts';
import { Reasons, StateChip } from '../reasons.tsx';
import { SceneRow } from '../scene-row.tsx';
import { decodingText } from './decoding-text.ts';
import type { Device } from './device.ts';
import { Picture } from './picture.tsx';
import { useScenes } from './use-scenes.ts';

const EVERY_MS = 5000;

/** How the camera is, what it sees, and what it counts. */
export function NowTab({ device }: { readonly device: Device }) {
  const t = useText('cameras');
  const canDraw = useSession().may('scene:write');
  const scenes = useScenes(device.id, EVERY_MS);
  const status = useCall(
    ['status', device.id],
    () => api.GET('/devices/{id}/analysis/status', { params: { path: { id: device.id } } }),
    { refetchInterval: EVERY_MS },
  );
  const runs = status.data?.devices.flatMap((each) => each.scenes) ?? [];
  const facts: CameraFacts = {
    ...device,
    scenes: (scenes.data ?? []).map(({ id, name, analysisStatus }) => {
      const run = runs.find(({ sceneId }) => sceneId === id);
      return {
        ...{ id, name, analysisStatus },
        run: run
          ? { status: run.status, errorMessage: null, ...(run.waitingFor && { waitingFor: run.waitingFor }) }
          : null,
      };
    }),
  };
  const state = cameraState(facts);
  const stats = runs.find(({ status: each }) => each === 'running')?.stats;
  return (
    <div className="columns">
      <Picture device={device} isRunning={state === 'counting' || state === 'warned'} />
      <div className="stack">
        <Tile tone={TONES[state]}>
          <div>{scenes.data && <StateChip state={state} />}</div>
          <Reasons of={facts} hasDetails />
        </Tile>
        <Async query={scenes}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                icon="edit"
                title={t.state.noZones}
                action={
                  canDraw && (
                    <LinkButton kind="main" href={`#/cameras/${device.id}/setup`}>
                      {t.setUp}
                    </LinkButton>
                  )
                }
              />
            ) : (
              <Section title={t.scene}>
                {list.map((scene) => (
                  <SceneRow key={scene.id} camera={device} scene={scene} />
                ))}
              </Section>
            )
          }
        </Async>
        <Facts device={device} stats={stats} />
      </div>
    </div>
  );
}

interface FactsProps {
  readonly device: Device;
  /** Of a running analysis. */
  readonly stats: RunStats | undefined;
}

function Facts({ device, stats }: FactsProps) {
  const t = useText('cameras');
  const locale = localeNow();
  const { width, height, codec, sourceFps, analysisFps, timezone } = device;
  const skipped = stats ? skippedPercent(stats) : null;
  const perSecond = (value: number | null | undefined) =>
    value === null || value === undefined ? null : t.perSecond(number(value, locale));
  const known: readonly (readonly [string, ReactNode])[] = [
    [t.lastPicture, device.lastFrameAt && <Age since={device.lastFrameAt} />],
    [
      t.since,
      device.onlineChangedAt && <Time at={device.onlineChangedAt} timezone={timezone ?? undefined} />,
    ],
    [t.facts.timezone, timezone && zoneName(timezone)],
  ];
  const technical: readonly (readonly [string, ReactNode])[] = [
    [t.facts.size, width && height && `${width} × ${height}${codec ? `, ${codec}` : ''}`],
    [t.facts.sourceFps, perSecond(sourceFps)],
    [t.facts.analysisFps, perSecond(analysisFps)],
    [t.facts.achievedFps, perSecond(stats?.fps)],
    [t.facts.decoding, stats?.decoding && t.decoding[stats.decoding]],
    [t.facts.decodingCost, decodingText(device.decoding, t.decodingCost, locale)],
    [t.facts.region, stats?.analysedRegion && partText(stats.analysedRegion, t)],
    [t.facts.networkSize, stats?.networkSize && `${stats.networkSize.width} × ${stats.networkSize.height}`],
    [t.facts.skipped, skipped !== null && `${skipped} %`],
    [t.facts.address, device.streamUrl],
    [t.facts.secondStream, device.analysisStreamUrl],
  ];
  return (
    <>
      <FactList facts={known} />
      <details>
        <summary>{t.technical}</summary>
        <FactList facts={technical} />
      </details>
    </>
  );
}

/** Facts that are known; the others are left out. */
function FactList({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="details">
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** How much of the picture is analysed. */
function partText(
  { width, height }: { readonly width: number; readonly height: number },
  t: ReturnType<typeof useText<'cameras'>>,
): string {
  const percent = Math.round(100 * width * height);
  return percent === 100 ? t.regions.whole : t.partAnalysed(String(percent));
}
