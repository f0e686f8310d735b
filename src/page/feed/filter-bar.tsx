import { useId } from 'react';
import { Button } from '../kit/button.tsx';
import { useText } from '../text/text.ts';
import styles from './feed.module.css';
import { type FeedFilter, isFiltered, NO_FILTER } from './filter.ts';
import { useCameras } from './use-zones.ts';

interface FilterBarProps {
  readonly filter: FeedFilter;
  readonly onChange: (filter: FeedFilter) => void;
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const t = useText('feed');
  const id = useId();
  const cameras = useCameras();
  const set = (change: Partial<FeedFilter>) => onChange({ ...filter, ...change });
  return (
    <search className={styles.filters} aria-label={t.filters}>
      <fieldset className={styles.choice}>
        <legend className="only-for-readers">{t.seen}</legend>
        {[false, true].map((isNewOnly) => (
          <label key={String(isNewOnly)}>
            <input
              type="radio"
              name={id}
              checked={filter.isNewOnly === isNewOnly}
              onChange={() => set({ isNewOnly })}
            />
            <span>{isNewOnly ? t.newOnly : t.all}</span>
          </label>
        ))}
      </fieldset>
      <select
        aria-label={t.severityLabel}
        value={filter.severity ?? ''}
        onChange={({ target }) => set({ severity: (target.value || null) as FeedFilter['severity'] })}
      >
        <option value="">{t.anySeverity}</option>
        <option value="warning">{t.severity.warning}</option>
        <option value="critical">{t.severity.critical}</option>
      </select>
      {cameras.length > 1 && (
        <select
          aria-label={t.camera}
          value={filter.deviceId ?? ''}
          onChange={({ target }) => set({ deviceId: target.value || null })}
        >
          <option value="">{t.anyCamera}</option>
          {cameras.map((camera) => (
            <option key={camera.id} value={camera.id}>
              {camera.name}
            </option>
          ))}
        </select>
      )}
      <label className={styles.until}>
        <span>{t.until}</span>
        <input
          type="date"
          value={filter.until ?? ''}
          onChange={({ target }) => set({ until: target.value || null })}
        />
      </label>
      {isFiltered(filter) && (
        <Button kind="quiet" icon="cross" onClick={() => onChange(NO_FILTER)}>
          {t.clearFilter}
        </Button>
      )}
    </search>
  );
}
