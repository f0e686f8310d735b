import { type Target, USUAL_TARGET } from '../../../catalogue/waits/target.ts';
import { SelectField } from '../../kit/form/select-field.tsx';
import { duration, percent } from '../../kit/numbers.ts';
import { localeNow, useText } from '../../text/text.ts';

const WAITS = [60, 120, 180, 240, 300, 480, 600, 900, 1200, 1800];
const SHARES = [0.8, 0.9, 0.95, 1];
/** Also a value that another program has set. */
const withOwn = (choices: readonly number[], own: number | undefined) =>
  [...new Set([...choices, ...(own === undefined ? [] : [own])])].sort((one, other) => one - other);

interface TargetFieldsProps {
  readonly value: Target | null;
  /** What holds where nothing is chosen: that of the site; null without one. */
  readonly inherited: Target | null;
  readonly onChange: (target: Target | null) => void;
  readonly error?: unknown;
}

/** How long people may wait, and how many of them at least. */
export function TargetFields({ value, inherited, onChange, error }: TargetFieldsProps) {
  const t = useText('cameras').target;
  const locale = localeNow();
  return (
    <>
      <SelectField
        label={t.wait}
        hint={t.hint}
        error={error}
        path="target"
        value={value?.waitSeconds ?? ''}
        onChange={(next) =>
          onChange(next === '' ? null : { ...(value ?? USUAL_TARGET), waitSeconds: Number(next) })
        }
      >
        <option value="">{inherited ? t.ofSite(duration(inherited.waitSeconds, locale)) : t.none}</option>
        {withOwn(WAITS, value?.waitSeconds).map((seconds) => (
          <option key={seconds} value={seconds}>
            {duration(seconds, locale)}
          </option>
        ))}
      </SelectField>
      {value && (
        <SelectField
          label={t.share}
          value={value.share}
          onChange={(next) => onChange({ ...value, share: Number(next) })}
        >
          {withOwn(SHARES, value.share).map((share) => (
            <option key={share} value={share}>
              {share === 1 ? t.everybody : t.atLeast(percent(share, locale, 1))}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
