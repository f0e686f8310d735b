import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useText } from '../text/text.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons at the end; the last one is the main action. */
  readonly actions?: ReactNode;
  /** Cannot be closed by Escape or a button. */
  readonly isFixed?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page, open as long as it is rendered. On a phone it comes from below. */
export function Dialog({ title, onClose, actions, isFixed = false, isWide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const common = useText('common');
  useLayoutEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    // Else the browser takes the first button, or a tab above the form.
    if (isFixed) dialog.querySelector('input')?.focus();
    return () => dialog.close();
  }, [isFixed]);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${isWide ? styles.wide : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFixed) onClose();
      }}
    >
      <div className={`spread ${styles.head}`}>
        <h2 id={titleId}>{title}</h2>
        {!isFixed && <Button kind="quiet" icon="cross" aria-label={common.close} onClick={onClose} />}
      </div>
      <div className={`stack ${styles.body}`}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </dialog>
  );
}
