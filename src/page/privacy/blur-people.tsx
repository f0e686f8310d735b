import { useId } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { Async, FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './privacy.module.css';

type Blur = Resource<'Account'>['blurPeople'];
const CHOICES: readonly Blur[] = ['none', 'faces', 'bodies'];

/** What pictures of this account hide of people. */
export function BlurPeople() {
  const query = useCall(['account'], () => api.GET('/users/me'));
  return <Async query={query}>{({ blurPeople }) => <Choices now={blurPeople} />}</Async>;
}

function Choices({ now }: { readonly now: Blur }) {
  const t = useText('privacy').blur;
  const id = useId();
  const save = useAction((blurPeople: Blur) => api.PATCH('/users/me', { body: { blurPeople } }), {
    changes: [['account']],
  });
  const chosen = save.isPending ? save.variables : now;
  return (
    <fieldset className={`stack ${styles.blur}`} disabled={save.isPending}>
      <legend>{t.title}</legend>
      <p className={`note ${styles.hint}`}>{t.hint}</p>
      <div className="cards">
        {CHOICES.map((choice) => (
          <label key={choice} className={`card ${styles.card}`} data-chosen={choice === chosen || undefined}>
            <input type="radio" name={id} checked={choice === chosen} onChange={() => save.mutate(choice)} />
            <Sketch hides={choice} />
            <span>
              <strong>{t.choices[choice].title}</strong>
              <span className={`note ${styles.hint}`}>{t.choices[choice].text}</span>
            </span>
          </label>
        ))}
      </div>
      <FormFailure error={save.error} />
      <p role="status" className={styles.saved}>
        {save.isSuccess ? t.saved : ''}
      </p>
    </fieldset>
  );
}

/** Draws a person, and what is hidden of it. */
function Sketch({ hides }: { readonly hides: Blur }) {
  return (
    <svg viewBox="0 0 80 60" className={styles.sketch} aria-hidden="true">
      <circle cx="40" cy="18" r="9" />
      <path d="M24 56c0-16 6-25 16-25s16 9 16 25z" />
      {hides === 'faces' && <rect x="26" y="6" width="28" height="24" rx="4" className={styles.cover} />}
      {hides === 'bodies' && <rect x="18" y="4" width="44" height="54" rx="4" className={styles.cover} />}
    </svg>
  );
}
