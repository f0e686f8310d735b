import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  readonly kind?: 'main' | 'normal' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** An action that is under way: the button waits and cannot be pressed again. */
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}

/** A button. One that has only an icon needs `aria-label`. */
export function Button({ kind = 'normal', icon, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${styles[kind]} ${children === undefined ? styles.icon : ''}`}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <span className="wait" /> : icon && <Icon name={icon} size={20} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly kind?: 'main' | 'normal' | 'quiet';
  readonly icon?: IconName;
  readonly children: ReactNode;
  readonly download?: boolean;
  /** Opens beside the page, which stays. */
  readonly isNewTab?: boolean;
}

/** A link that looks like a button. */
export function LinkButton({ href, kind = 'normal', icon, children, download, isNewTab }: LinkButtonProps) {
  return (
    <a
      className={`${styles.button} ${styles[kind]}`}
      href={href}
      download={download}
      {...(isNewTab && { target: '_blank', rel: 'noopener' })}
    >
      {icon && <Icon name={icon} size={20} />}
      <span>{children}</span>
    </a>
  );
}
