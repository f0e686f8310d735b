import { type FormEvent, useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { CopyText } from '../kit/copy-text.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { duration } from '../kit/numbers.ts';
import { FormFailure } from '../kit/states.tsx';
import { useCountdown } from '../kit/use-countdown.ts';
import { localeNow, useText } from '../text/text.ts';
import styles from './keys.module.css';
import { isOnlyHere, linkAddress } from './link-address.ts';
import { qrPath } from './qr-path.ts';
import { grantable, type Role } from './roles.ts';

/** A display for customers is a screen whose link leads there. */
const KINDS = ['person', 'screen', 'display'] as const;
const FORM = 'login-code';

/** Makes a link and a QR code that sign in a phone or a wall screen. */
export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText('keys');
  const common = useText('common');
  const session = useSession();
  const roles = grantable(session.scopes);
  const [kind, setKind] = useState<(typeof KINDS)[number]>('person');
  const [role, setRole] = useState<Role>(roles.includes('manager') ? 'manager' : (roles[0] ?? 'viewer'));
  const [label, setLabel] = useState('');
  const make = useAction(
    () => {
      const body = { kind: kind === 'person' ? kind : 'screen', role, label: label.trim() || null } as const;
      return api.POST('/login-codes', { body });
    },
    { changes: [['sessions']] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(undefined);
  };
  const made = make.data;
  return (
    <Dialog
      title={t.linkTitle}
      onClose={onClose}
      actions={
        made ? (
          <Button kind="main" onClick={onClose}>
            {common.close}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{common.cancel}</Button>
            <Button kind="main" type="submit" form={FORM} isBusy={make.isPending}>
              {t.linkMake}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <MadeLink
          key={made.id}
          made={made}
          isDisplay={kind === 'display'}
          onAgain={() => make.mutate(undefined)}
        />
      ) : (
        <form id={FORM} className={`stack ${styles.form}`} onSubmit={submit}>
          <SelectField
            label={t.linkKind}
            hint={kind === 'person' ? t.linkEnds : t.linkStays}
            value={kind}
            onChange={(next) => {
              setKind(next as typeof kind);
              if (next !== 'person') setRole('viewer');
            }}
          >
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {t.linkKinds[each]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t.linkRole}
            hint={t.roleTexts[role]}
            error={make.error}
            path="role"
            value={role}
            onChange={(next) => setRole(next as Role)}
          >
            {roles.map((each) => (
              <option key={each} value={each}>
                {t.roles[each]}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t.linkLabel}
            hint={t.linkLabelHint}
            error={make.error}
            path="label"
            isOptional
            maxLength={100}
            value={label}
            onChange={setLabel}
          />
          <FormFailure error={make.error} />
        </form>
      )}
    </Dialog>
  );
}

interface MadeLinkProps {
  readonly made: Resource<'LoginCode'>;
  readonly isDisplay: boolean;
  readonly onAgain: () => void;
}

function MadeLink({ made, isDisplay, onAgain }: MadeLinkProps) {
  const t = useText('keys');
  const [lasts] = useState(() => (Date.parse(made.expiresAt) - serverNow()) / 1000);
  const left = useCountdown(lasts, made.id);
  const place = isDisplay ? made.path.replace('#/enter', '#/display') : made.path;
  const link = linkAddress(location.href, place);
  const { size, path } = qrPath(link);
  if (left <= 0) {
    return (
      <div className={styles.made}>
        <p>{t.linkOver}</p>
        <Button icon="keys" onClick={onAgain}>
          {t.linkAgain}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.made}>
      {isOnlyHere(location.href) && (
        <p className="notice" data-tone="warn">
          {t.linkOnlyHere}
        </p>
      )}
      <p>{t.linkScan}</p>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t.qr}
        shapeRendering="crispEdges"
      >
        <path d={path} />
      </svg>
      <p>{t.linkOr}</p>
      <CopyText text={link} label={t.linkOr} />
      <p className="note">{t.linkOnce(duration(left, localeNow()))}</p>
    </div>
  );
}
