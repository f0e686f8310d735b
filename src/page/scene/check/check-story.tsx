import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Can } from '../../api/session.tsx';
import { Time } from '../../kit/age.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { TextField } from '../../kit/form/text-field.tsx';
import { count as whole } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { Async, FormFailure } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import styles from './check.module.css';
import { CheckResult } from './check-result.tsx';
import { type Check, type CheckPlace, checkKey, checksKey, type Opened } from './checks.ts';
import { CountStills } from './count-stills.tsx';
import { MarkTimes } from './times/mark-times.tsx';

interface CheckStoryProps extends CheckPlace {
  readonly check: Check;
}

/** One check: pictures are kept, people count, the result is shown. */
export function CheckStory({ check, ...place }: CheckStoryProps) {
  const t = useText('check');
  if (check.status === 'collecting') return <Collecting check={check} {...place} />;
  return (
    <Opening check={check}>
      {(opened) =>
        opened.status === 'finished' ? (
          <>
            <CheckResult check={opened} {...place} />
            <Can scope="analysis:control">
              <div className={styles.screenOnly}>
                <Remove check={check} />
              </div>
            </Can>
          </>
        ) : (
          <Section title={opened.film ? t.openTimes : t.open}>
            <p className={styles.text}>{opened.endReason && t.endReasons[opened.endReason]}</p>
            <Counting check={opened} />
            <Can scope="analysis:control">
              <Remove check={check} />
            </Can>
          </Section>
        )
      }
    </Opening>
  );
}

function Opening({
  check,
  children,
}: {
  readonly check: Check;
  readonly children: (opened: Opened) => React.ReactNode;
}) {
  // A check that was stopped or finished meanwhile has other stills.
  const query = useCall<Opened>([...checkKey(check.id), check.status], () =>
    api.GET('/checks/{id}', { params: { path: { id: check.id } } }),
  );
  return <Async query={query}>{children}</Async>;
}

function Collecting({ check, timezone }: CheckStoryProps) {
  const t = useText('check');
  const locale = localeNow();
  const stop = useAction(() => api.POST('/checks/{id}/stop', { params: { path: { id: check.id } } }), {
    changes: [checksKey(check.sceneId), checkKey(check.id)],
  });
  return (
    <Section title={t.collecting}>
      <p aria-live="polite">
        {check.film
          ? t.filming
          : t.collectingText(whole(check.takenStills, locale), whole(check.wantedStills, locale))}{' '}
        {check.missedMoments > 0 && !check.film && t.missed(whole(check.missedMoments, locale))}
      </p>
      {!check.film && (
        <progress
          className={styles.progress}
          max={check.wantedStills}
          value={check.takenStills}
          aria-label={t.collecting}
        />
      )}
      <p className={`note ${styles.text}`}>
        {t.until} <Time at={check.endsAt} timezone={timezone} />
      </p>
      <Can scope="analysis:control">
        <div className="row">
          <Button icon="halt" isBusy={stop.isPending} onClick={() => stop.mutate(undefined)}>
            {t.stop}
          </Button>
          <Remove check={check} />
        </div>
      </Can>
      <FormFailure error={stop.error} />
    </Section>
  );
}

/** Where people count: how far they are, the pictures, and the end. */
function Counting({ check }: { readonly check: Opened }) {
  const t = useText('check');
  const locale = localeNow();
  const [isCounting, setCounting] = useState(false);
  const { stills, film } = check;
  if (film) {
    if (isCounting) return <MarkTimes check={check} film={film} onEnd={() => setCounting(false)} />;
    return (
      <Can scope="analysis:control">
        <div className="row">
          <Button kind="main" onClick={() => setCounting(true)}>
            {check.marked ? t.markOn : t.mark}
          </Button>
          {check.marked && <Finish check={check} isDone={true} />}
        </div>
      </Can>
    );
  }
  const done = stills.filter(({ mine }) => mine !== null).length;
  const isDone = done === stills.length;
  if (stills.length === 0) return <p className={styles.text}>{t.noneText}</p>;
  if (isCounting) return <CountStills check={check} onEnd={() => setCounting(false)} />;
  return (
    <>
      <p>{isDone ? t.allDone : t.openText(whole(done, locale), whole(stills.length, locale))}</p>
      <Can scope="analysis:control">
        <div className="row">
          {!isDone && (
            <Button kind="main" onClick={() => setCounting(true)}>
              {done === 0 ? t.count : t.countOn}
            </Button>
          )}
          {done > 0 && <Finish check={check} isDone={isDone} />}
        </div>
      </Can>
    </>
  );
}

function Finish({ check, isDone }: { readonly check: Opened; readonly isDone: boolean }) {
  const t = useText('check');
  const [isOpen, setOpen] = useState(false);
  const [who, setWho] = useState('');
  const finish = useAction(
    () =>
      api.POST('/checks/{id}/finish', {
        params: { path: { id: check.id } },
        body: who.trim() === '' ? {} : { checkedBy: who.trim() },
      }),
    { changes: [checksKey(check.sceneId), checkKey(check.id)] },
  );
  return (
    <>
      <Button kind={isDone ? 'main' : 'normal'} onClick={() => setOpen(true)}>
        {isDone ? t.finish : t.finishEarly}
      </Button>
      {isOpen && (
        <FormDialog
          title={t.finishTitle}
          submit={t.finish}
          action={finish}
          onClose={() => setOpen(false)}
          onSubmit={() => finish.mutate(undefined)}
        >
          <p>{check.film ? t.finishTimesText : t.finishText}</p>
          <TextField
            label={t.checkedBy}
            isOptional
            error={finish.error}
            path="checkedBy"
            maxLength={100}
            value={who}
            onChange={setWho}
          />
        </FormDialog>
      )}
    </>
  );
}

function Remove({ check }: { readonly check: Check }) {
  const t = useText('check');
  const [isAsked, ask] = useState(false);
  const remove = useAction(() => api.DELETE('/checks/{id}', { params: { path: { id: check.id } } }), {
    changes: [checksKey(check.sceneId)],
  });
  return (
    <>
      <Button kind="quiet" icon="trash" onClick={() => ask(true)}>
        {t.remove}
      </Button>
      {isAsked && (
        <ConfirmDialog title={t.remove} confirm={t.remove} action={remove} onClose={() => ask(false)}>
          <p>{t.removeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
