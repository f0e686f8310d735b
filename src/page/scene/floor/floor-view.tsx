import { useState } from 'react';
import { api } from '../../api/client.ts';
import { serverNow } from '../../api/connection.ts';
import { useCall } from '../../api/query.ts';
import { TextField } from '../../kit/form/text-field.tsx';
import { duration } from '../../kit/numbers.ts';
import { Async, Empty } from '../../kit/states.tsx';
import { showTime } from '../../kit/time.ts';
import { localDate } from '../../kit/timezone/wall-clock.ts';
import { localeNow, useText } from '../../text/text.ts';
import styles from './floor.module.css';
import { FloorMap } from './floor-map.tsx';
import { FLOOR_SPANS, type FloorChoice, type FloorSpan, floorRange, type TimeRange } from './floor-range.ts';

interface FloorViewProps {
  readonly sceneId: string;
  readonly timezone: string;
  /** Address of a picture of the camera; null if there is none. */
  readonly pictureUrl: string | null;
  /** Width divided by height. */
  readonly aspect: number;
  /** Of a recording: when it begins and ends. A camera has no end. */
  readonly recorded?: TimeRange;
}

/** Where people of a scene stood in a range of time, over a picture of the camera. */
export function FloorView(props: FloorViewProps) {
  const { sceneId, timezone, recorded } = props;
  const t = useText('scene').floor;
  const [choice, setChoice] = useState<FloorChoice>(() => {
    const today = localDate(timezone, serverNow());
    return { span: 'today', first: today, last: today };
  });
  const range = recorded ?? floorRange(choice, { nowMs: serverNow(), timezone });
  return (
    <div className="stack">
      {!recorded && (
        <Chooser
          choice={choice}
          onChoose={setChoice}
          fault={typeof range === 'string' ? t.faults[range] : undefined}
        />
      )}
      {typeof range !== 'string' && <FloorOf key={sceneId} {...props} range={range} />}
    </div>
  );
}

interface ChooserProps {
  readonly choice: FloorChoice;
  readonly onChoose: (choice: FloorChoice) => void;
  readonly fault: string | undefined;
}

function Chooser({ choice, onChoose, fault }: ChooserProps) {
  const t = useText('scene').floor;
  const choose = (span: FloorSpan) => onChoose({ ...choice, span });
  return (
    <div className="stack">
      <fieldset className="row" aria-label={t.range}>
        {FLOOR_SPANS.map((span) => (
          <button
            key={span}
            type="button"
            className="pill"
            aria-pressed={choice.span === span}
            onClick={() => choose(span)}
          >
            {t.spans[span]}
          </button>
        ))}
      </fieldset>
      {choice.span === 'dates' && (
        <div className={`fields ${styles.dates}`}>
          {(['first', 'last'] as const).map((name) => (
            <TextField
              key={name}
              label={t[name]}
              fault={name === 'last' ? fault : undefined}
              type="date"
              value={choice[name]}
              onChange={(value) => onChoose({ ...choice, [name]: value })}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function FloorOf({
  sceneId,
  timezone,
  pictureUrl,
  aspect,
  range,
}: FloorViewProps & { readonly range: TimeRange }) {
  const t = useText('scene').floor;
  const [from, to] = [range.fromMs, range.toMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const query = useCall(['floor', sceneId, from, to], () =>
    api.GET('/analytics/scenes/{id}/floor', { params: { path: { id: sceneId }, query: { from, to } } }),
  );
  const locale = localeNow();
  const at = (time: string) => showTime(time, 'dayTime', { locale, timezone });
  return (
    <Async query={query}>
      {(map) => {
        if (map.coveredSeconds === 0) {
          return (
            <Empty title={t.empty} icon="people">
              {t.emptyText}
            </Empty>
          );
        }
        return (
          <>
            <FloorMap
              map={map}
              label={t.label(at(map.from), at(map.to))}
              pictureUrl={pictureUrl}
              aspect={aspect}
            />
            <p className="note">{t.covered(duration(map.coveredSeconds, locale))}</p>
          </>
        );
      }}
    </Async>
  );
}
