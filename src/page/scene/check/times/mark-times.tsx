import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useAction } from '../../../api/query.ts';
import { Button } from '../../../kit/button.tsx';
import { FormFailure } from '../../../kit/states.tsx';
import { localeNow, useText } from '../../../text/text.ts';
import { SceneZones } from '../../scene-zones.tsx';
import styles from '../check.module.css';
import { checkKey, modesOf, type Opened } from '../checks.ts';
import { clock } from './clock.ts';
import {
  addPerson,
  filmKey,
  type Mark,
  type Marked,
  markPerson,
  nextMark,
  present,
  unmark,
} from './marking.ts';
import { useFilm } from './use-film.ts';

const SPEEDS = [1, 2, 3, 4] as const;
const STEP = 5;
const SAVE_AFTER_MS = 3_000;

interface MarkTimesProps {
  readonly check: Opened;
  readonly film: NonNullable<Opened['film']>;
  readonly onEnd: () => void;
}

/** The film plays; one key or tap marks that somebody joined, began to be served or left. */
export function MarkTimes({ check, film, onEnd }: MarkTimesProps) {
  const t = useText('check');
  const has = modesOf(check.zones);
  const client = useQueryClient();
  const player = useFilm(check.id, film);
  const [visits, showVisits] = useState<readonly Marked[]>(() => check.marked ?? []);
  /** Keys may come faster than the page is drawn. */
  const latest = useRef(visits);
  const lastMarked = useRef<string[]>([]);
  const save = useAction(() =>
    api.PUT('/checks/{id}/times', {
      params: { path: { id: check.id } },
      body: { visits: [...latest.current] },
    }),
  );
  const end = () =>
    save.mutate(undefined, {
      onSuccess: () => {
        void client.invalidateQueries({ queryKey: checkKey(check.id) });
        onEnd();
      },
    });
  const change = (next: readonly Marked[], person?: string) => {
    if (person !== undefined) lastMarked.current.push(person);
    latest.current = next;
    showVisits(next);
  };
  const mark = (person: string, what: 'served' | 'left') =>
    change(markPerson(latest.current, person, { mark: what, second: player.now() }), person);
  const join = () => {
    const next = addPerson(latest.current, player.now(), !has.waiting);
    change(next, next.at(-1)!.person);
  };
  const act = (kind: Mark) => {
    const { waiting, served } = present(latest.current);
    const first = kind === 'served' ? waiting[0] : (served[0] ?? (has.served ? undefined : waiting[0]));
    if (kind === 'joined') join();
    else if (first && (kind === 'left' || has.served)) mark(first.person, kind);
  };
  const undo = () => {
    const person = lastMarked.current.pop();
    if (person !== undefined) change(unmark(latest.current, person));
  };
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest('dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = filmKey(event.key);
    // A press of a button by the keyboard belongs to it.
    if (!key || (key.kind === 'play' && target.closest('button, a'))) return;
    if (key.kind === 'seek' && target.closest('input')) return;
    event.preventDefault();
    if (key.kind === 'play') player.play(!player.isPlaying);
    else if (key.kind === 'undo') undo();
    else if (key.kind === 'seek') player.seek(player.now() + key.seconds);
    else if (key.kind === 'speed') player.setSpeed(key.speed);
    else act(key.kind);
  };
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  // What was marked is not lost with the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only marks are saved
  useEffect(() => {
    if (visits === check.marked || visits.length === 0) return;
    const timer = setTimeout(() => save.mutate(undefined), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [visits]);
  const { waiting, served } = present(visits);
  return (
    <div className={`stack ${styles.counting}`}>
      <div className={styles.picture}>
        <canvas
          ref={player.canvas}
          className={styles.film}
          width={640}
          height={360}
          aria-label={t.film}
          role="img"
        />
        <SceneZones zones={check.zones} />
      </div>
      <div className="row">
        <Button icon={player.isPlaying ? 'pause' : 'play'} onClick={() => player.play(!player.isPlaying)}>
          {player.isPlaying ? t.pause : t.play}
        </Button>
        <Button aria-label={t.back} icon="back" onClick={() => player.seek(player.now() - STEP)} />
        <Button aria-label={t.forward} icon="forward" onClick={() => player.seek(player.now() + STEP)} />
        <label>
          {t.speed}{' '}
          <select
            className={styles.speed}
            value={player.speed}
            onChange={({ target }) => player.setSpeed(Number(target.value))}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        <span className={styles.clock}>
          {clock(player.second)} / {clock(film.seconds)}
          {player.isLoading && ` · ${player.hasFailed ? t.filmFailed : t.filmLoading}`}
        </span>
      </div>
      <input
        type="range"
        className={styles.position}
        aria-label={t.position}
        aria-valuetext={clock(player.second)}
        min={0}
        max={film.seconds}
        step={1}
        value={Math.floor(player.second)}
        onChange={({ target }) => player.seek(Number(target.value))}
      />
      <div className="row">
        <Button kind="main" icon="plus" onClick={join}>
          {has.waiting ? t.joined : t.served}
        </Button>
        <Button icon="undo" onClick={undo}>
          {t.undo}
        </Button>
      </div>
      {has.waiting && (
        <People title={t.modes.waiting} mode="waiting" people={waiting}>
          {(visit) => (
            <>
              {has.served && (
                <Button onClick={() => mark(visit.person, nextMark(visit, has.served))}>
                  {t.toService(visit.person)}
                </Button>
              )}
              <Button kind={has.served ? 'quiet' : 'normal'} onClick={() => mark(visit.person, 'left')}>
                {has.served ? t.gaveUp : t.leaves(visit.person)}
              </Button>
            </>
          )}
        </People>
      )}
      {has.served && (
        <People title={t.modes.served} mode="served" people={served}>
          {(visit) => <Button onClick={() => mark(visit.person, 'left')}>{t.leaves(visit.person)}</Button>}
        </People>
      )}
      <p className={`note ${styles.text}`}>
        {t.marked(new Intl.NumberFormat(localeNow()).format(visits.length))}
      </p>
      <FormFailure error={save.error} />
      <div className="row">
        <Button kind="main" isBusy={save.isPending} onClick={end}>
          {t.saveMarks}
        </Button>
      </div>
      <p className={`note ${styles.text}`}>{t.markHelp}</p>
      <p className={`note ${styles.text} ${styles.keys}`}>{t.filmKeys}</p>
    </div>
  );
}

interface PeopleProps {
  readonly title: string;
  readonly mode: 'waiting' | 'served';
  readonly people: readonly Marked[];
  readonly children: (visit: Marked) => React.ReactNode;
}

function People({ title, mode, people, children }: PeopleProps) {
  const t = useText('check');
  return (
    <section className={`${styles.mode} ${styles[mode]} ${styles.people}`} aria-label={title}>
      <strong>{title}</strong>
      {people.length === 0 && <span className={`note ${styles.text}`}>{t.nobody}</span>}
      <ul className="row">
        {people.map((visit) => (
          <li key={visit.person} className="row">
            {children(visit)}
          </li>
        ))}
      </ul>
    </section>
  );
}
