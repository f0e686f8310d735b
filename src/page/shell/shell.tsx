import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Icon } from '../kit/icon.tsx';
import { useText } from '../text/text.ts';
import { Banners } from './banners.tsx';
import { groupsOf, IN_BAR, isWithin, PLACES, type Place } from './places.ts';
import styles from './shell.module.css';
import { signOut } from './sign-out.ts';
import { useUnseen } from './use-unseen.ts';

/** The frame of every screen but the wall: navigation below on a phone, at the side on a wide screen. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useText('shell');
  const [place] = useLocation();
  const session = useSession();
  const [isMoreOpen, setMoreOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each place begins at its top, and is read from there
  useEffect(() => {
    setMoreOpen(false);
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  const places = PLACES.filter(({ scope }) => session.may(scope));
  const inBar = places.filter(({ id }) => IN_BAR.includes(id));
  const others = places.filter(({ id }) => !IN_BAR.includes(id));
  const who = session.user.name ?? session.user.email;
  const account = (
    <div className={styles.account}>
      <Icon name="person" />
      <span className="one-line">{t.signedInAs(who)}</span>
      <Button kind="quiet" onClick={() => void signOut()}>
        {t.signOut}
      </Button>
    </div>
  );
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href={`#${place}`}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t.skip}
      </a>
      <nav className={styles.side} aria-label={t.navigation}>
        <div className={styles.product}>
          <img src="./icon.svg" alt="" width={32} height={32} />
          {t.product}
        </div>
        <Groups places={places} at={place} />
        {account}
      </nav>
      <main ref={main} className={styles.main} tabIndex={-1}>
        <Banners />
        {children}
      </main>
      <nav className={styles.bar} aria-label={t.navigation}>
        {inBar.map((each) => (
          <Entry key={each.id} place={each} at={place} />
        ))}
        <button
          type="button"
          className={styles.entry}
          aria-expanded={isMoreOpen}
          data-here={others.some(({ to }) => isWithin(place, to)) || undefined}
          onClick={() => setMoreOpen(true)}
        >
          <Icon name="more" />
          <span>{t.more}</span>
        </button>
      </nav>
      {isMoreOpen && (
        <Dialog title={t.more} onClose={() => setMoreOpen(false)}>
          <nav className={styles.sheet} aria-label={t.more}>
            <Groups places={others} at={place} />
          </nav>
          {account}
        </Dialog>
      )}
    </div>
  );
}

/** Entries below the names of their groups. */
function Groups({ places, at }: { readonly places: readonly Place[]; readonly at: string }) {
  const { groups } = useText('shell');
  return groupsOf(places).map(({ group, entries }) => (
    <section key={group} aria-label={groups[group]} className={styles.group}>
      <span aria-hidden="true">{groups[group]}</span>
      {entries.map((each) => (
        <Entry key={each.id} place={each} at={at} />
      ))}
    </section>
  ));
}

function Entry({ place: { id, to, icon }, at }: { readonly place: Place; readonly at: string }) {
  const { places } = useText('shell');
  return (
    <a className={styles.entry} href={`#${to}`} aria-current={isWithin(at, to) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{places[id]}</span>
      {id === 'feed' && <Unseen />}
    </a>
  );
}

const MOST_SHOWN = 99;

/** How many alerts nobody has seen. */
function Unseen() {
  const t = useText('shell');
  const count = useUnseen();
  if (count === 0) return null;
  const shown = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
  return (
    <strong className={styles.badge}>
      <span aria-hidden="true">{shown}</span>
      <span className="only-for-readers">, {t.unseen(shown)}</span>
    </strong>
  );
}
