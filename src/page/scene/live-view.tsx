import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../api/connection.ts';
import type { LivePicture } from '../api/live-picture.ts';
import { useAge } from '../kit/age.tsx';
import { Icon } from '../kit/icon.tsx';
import { duration } from '../kit/numbers.ts';
import { localeNow, useText } from '../text/text.ts';
import { countPeople } from './live-boxes.ts';
import { LivePainter } from './live-painter.ts';
import styles from './live-view.module.css';
import { hasPictures, type SceneState } from './scene-state.ts';
import { SceneZones, type Zones } from './scene-zones.tsx';
import type { LiveTill } from './tills-shown.ts';
import { useLivePictures } from './use-live-pictures.ts';
import type { Part } from './use-scene-now.ts';

interface LiveViewProps {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly sceneId: string;
  readonly state: SceneState;
  readonly zones: Zones;
  readonly tills?: readonly LiveTill[];
  /** The part of the picture that is analysed; null: all of it. */
  readonly part?: Part | null;
  /** Width divided by height of the camera's frames; null while it is not known. */
  readonly aspect: number | null;
}

/** What is on the canvas. */
interface Shown {
  readonly capturedAt: string;
  readonly isStill: boolean;
  readonly people: ReturnType<typeof countPeople>;
  readonly staff: number;
  /** Of these, found by what they do. */
  readonly staffAtTill: number;
  readonly aspect: number;
}

const DEFAULT_ASPECT = 16 / 9;
/** A picture that is older than this is not live. */
const LIVE_SECONDS = 4;
/** Where the node sends a still about every five seconds. */
const STILL_SECONDS = 12;

/** The live picture of a camera with the people of that very frame, and the zones of a scene over it. */
export function LiveView(props: LiveViewProps) {
  const { deviceId, deviceName, sceneId, state, zones, tills = [] } = props;
  const t = useText('scene');
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const painter = useRef<LivePainter | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [hasZones, setHasZones] = useState(true);
  const [hasBoxes, setHasBoxes] = useState(true);

  useEffect(() => {
    const made = new LivePainter({
      canvas: canvas.current!,
      sceneId,
      onPainted: ({ picture, aspect }) =>
        setShown((before) => nextShown(before, shownOf(picture, sceneId, aspect))),
    });
    painter.current = made;
    return () => {
      made.end();
      setShown(null);
    };
  }, [sceneId]);
  useEffect(() => painter.current?.showBoxes(hasBoxes), [hasBoxes]);
  const isWanted = hasPictures(state);
  const pictures = useLivePictures({
    deviceId,
    isWanted,
    show: (picture) => painter.current?.show(picture),
  });

  const isReconnecting = pictures?.kind === 'waiting';
  const note = shown
    ? null
    : !isWanted
      ? t.noPictureStopped
      : isReconnecting || pictures?.kind === 'refused'
        ? t.reconnecting
        : t.connecting;
  return (
    <div ref={frame} className={`stack ${styles.frame}`}>
      <div
        className={styles.picture}
        style={{ aspectRatio: shown?.aspect ?? props.aspect ?? DEFAULT_ASPECT }}
      >
        <canvas
          ref={canvas}
          className={styles.canvas}
          role="img"
          aria-label={`${t.pictureOf(deviceName)}${shown ? `: ${t.peopleInPicture(shown.people.queue, shown.people.checkout)}` : ''}`}
        />
        {hasZones && shown && <SceneZones zones={zones} part={props.part} tills={tills} />}
        {note !== null && <p className={styles.note}>{note}</p>}
        {shown && <PictureAge shown={shown} isWanted={isWanted} />}
      </div>
      <div className={`row ${styles.tools}`}>
        {shown?.isStill && <p className={`note ${styles.stills}`}>{t.stills}</p>}
        {shown !== null && shown.staff > 0 && (
          <p className={`note ${styles.stills}`}>{t.staffInPicture(shown.staff, shown.staffAtTill)}</p>
        )}
        <Toggle label={t.showZones} isOn={hasZones} onChange={setHasZones} />
        <Toggle label={t.showBoxes} isOn={hasBoxes} onChange={setHasBoxes} />
        <FullScreen frame={frame} />
      </div>
    </div>
  );
}

function shownOf(picture: LivePicture, sceneId: string, aspect: number): Shown {
  const staff = picture.staff.get(sceneId) ?? [];
  return {
    capturedAt: new Date(picture.capturedAtMs).toISOString(),
    isStill: picture.isStill,
    people: countPeople(picture.tracks.get(sceneId) ?? []),
    staff: staff.length,
    staffAtTill: staff.filter(({ reason }) => reason === 'stays_at_till').length,
    aspect,
  };
}

/**
 * Only what is written beside the picture: the page need not be rendered for each picture. The time is taken over once a
 * second, which is what the age shows.
 */
function nextShown(before: Shown | null, next: Shown): Shown {
  if (before === null) return next;
  const isSame =
    before.isStill === next.isStill &&
    before.aspect === next.aspect &&
    before.staff === next.staff &&
    before.staffAtTill === next.staffAtTill &&
    before.people.queue === next.people.queue &&
    before.people.checkout === next.people.checkout;
  const isYoung = Date.parse(next.capturedAt) - Date.parse(before.capturedAt) < 1_000;
  return isSame && isYoung ? before : next;
}

function PictureAge({ shown, isWanted }: { readonly shown: Shown; readonly isWanted: boolean }) {
  const t = useText('scene');
  useAge(shown.capturedAt);
  const seconds = Math.max(0, (serverNow() - Date.parse(shown.capturedAt)) / 1000);
  const isLive = isWanted && seconds < (shown.isStill ? STILL_SECONDS : LIVE_SECONDS);
  return (
    <p className={`${styles.age} ${isLive ? styles.live : ''}`}>
      <Icon name={isLive ? 'check' : 'clock'} size={16} />
      {isLive && !shown.isStill ? t.pictureNow : t.pictureAge(duration(seconds, localeNow()))}
    </p>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    <button type="button" className="pill" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      <Icon name={isOn ? 'check' : 'off'} size={18} />
      {label}
    </button>
  );
}

/** Absent where the browser has no full screen for a part of a page, as on iPhones. */
function FullScreen({ frame }: { readonly frame: React.RefObject<HTMLDivElement | null> }) {
  const t = useText('scene');
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const look = () => setIsFull(document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [frame]);
  if (!document.fullscreenEnabled) return null;
  const change = () => (isFull ? document.exitFullscreen() : frame.current?.requestFullscreen());
  return (
    <button type="button" className="pill" onClick={() => void change()?.catch(() => undefined)}>
      <Icon name="wall" size={18} />
      {isFull ? t.endFull : t.full}
    </button>
  );
}
