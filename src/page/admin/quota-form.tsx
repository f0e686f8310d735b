import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import {
  type AmountFault,
  FEATURE_TYPES,
  FEATURES,
  type Feature,
  type QuotaChange,
  readAddition,
  readLimit,
  shownAmount,
} from './quotas.ts';

interface QuotaFormProps {
  readonly userId: string;
  readonly user: Resource<'UserDetail'>;
  readonly change: QuotaChange;
  readonly onDone: () => void;
}

interface Wanted {
  readonly feature: Feature;
  readonly amount: number | null;
  readonly reason: string;
}

/** Adds to a quota of this month, or sets the limit of each month. */
export function QuotaForm({ userId, user, change: { kind, ...change }, onDone }: QuotaFormProps) {
  const t = useText('admin').users;
  const common = useText('common');
  const limitOf = (feature: Feature) => {
    const limit = user.monthlyLimits[feature];
    return kind === 'topUp' || limit === null ? '' : String(shownAmount(feature, limit));
  };
  const [feature, setFeature] = useState(change.feature);
  const [typed, setTyped] = useState(() => limitOf(change.feature));
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<AmountFault | null>(null);
  // The same addition that is sent twice counts once.
  const [referenceId] = useState(randomId);
  const path = { id: userId };
  const save = useAction(
    ({ feature: what, amount, reason: why }: Wanted) => {
      const said = why === '' ? {} : { reason: why };
      return kind === 'topUp'
        ? api.POST('/admin/users/{id}/quota/top-up', {
            params: { path },
            body: { featureType: FEATURE_TYPES[what], amount: amount!, referenceId, ...said },
          })
        : api.PUT('/admin/users/{id}/quota', { params: { path }, body: { [what]: amount, ...said } });
    },
    { changes: [['admin', 'user', userId]], onDone },
  );
  const submit = () => {
    const read = kind === 'topUp' ? readAddition(feature, typed) : readLimit(feature, typed);
    setFault('fault' in read ? read.fault : null);
    if ('amount' in read) save.mutate({ feature, amount: read.amount, reason: reason.trim() });
  };
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3>{kind === 'topUp' ? t.topUp : t.setLimit}</h3>
      <p className="note">{kind === 'topUp' ? t.topUpText : t.setText}</p>
      <div className="fields">
        <SelectField
          label={t.feature}
          value={feature}
          onChange={(next) => {
            const chosen = next as Feature;
            setFeature(chosen);
            setTyped(limitOf(chosen));
          }}
        >
          {FEATURES.map((each) => (
            <option key={each} value={each}>
              {t.features[each]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={`${kind === 'topUp' ? t.amount : t.limit} (${t.units[feature]})`}
          error={save.error}
          path={kind === 'topUp' ? 'amount' : feature}
          fault={fault ? t.fault[fault] : undefined}
          {...(kind === 'setLimit' && { hint: t.limitHint })}
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          value={typed}
          onChange={setTyped}
        />
      </div>
      <TextField
        label={t.reason}
        hint={t.reasonHint}
        error={save.error}
        path="reason"
        isOptional
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
      <FormFailure error={save.error} />
      <div className="buttons">
        <Button kind="main" type="submit" isBusy={save.isPending}>
          {common.save}
        </Button>
        <Button onClick={onDone}>{common.cancel}</Button>
      </div>
    </form>
  );
}

/** A random UUID. `crypto.randomUUID` is missing where the page came over plain http. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
