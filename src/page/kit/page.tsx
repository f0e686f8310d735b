import { type ReactNode, useEffect } from 'react';
import { useText } from '../text/text.ts';
import { Icon } from './icon.tsx';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** A short text below the title. */
  readonly lead?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** Place of the list that this belongs to: shows a link back. */
  readonly backTo?: string;
  /** Uses the whole width of a wide screen. */
  readonly isWide?: boolean;
  /** On a phone the controls of the screen stand in place of its title, which screen readers still get. */
  readonly hasBar?: boolean;
  readonly children: ReactNode;
}

/** A screen: its title, actions and content. */
export function Page({ title, lead, actions, backTo, isWide, hasBar, children }: PageProps) {
  const common = useText('common');
  const { product } = useText('shell');
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className={`${styles.page} ${isWide ? styles.wide : ''} ${hasBar ? styles.bar : ''}`}>
      <header className={styles.head}>
        {backTo !== undefined && (
          <a className={styles.back} href={`#${backTo}`} aria-label={common.back}>
            <Icon name="back" />
          </a>
        )}
        <div className={styles.words}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with a heading. */
export function Section({
  title,
  actions,
  isCard = false,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly isCard?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={isCard ? 'card' : 'stack'} aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <div className="spread">
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div className="buttons">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
