import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import styles from './feed.module.css';
import { type FeedFilter, isFiltered, NO_FILTER } from './filter.ts';
import { useCameras } from './use-places.ts';

interface FilterBarProps {
  readonly filter: FeedFilter;
  readonly onChange: (filter: FeedFilter) => void;
}

/** One button for all filters; what is chosen stands beside it and can be removed. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const t = useText('feed');
  const [isOpen, setOpen] = useState(false);
  const cameras = useCameras();
  const chosen = [
    { words: filter.isNewOnly && t.newOnly, without: { isNewOnly: false } },
    { words: filter.severity && t.severity[filter.severity], without: { severity: null } },
    {
      words: filter.deviceId && (cameras.find(({ id }) => id === filter.deviceId)?.name ?? t.camera),
      without: { deviceId: null },
    },
    { words: filter.until && `${t.until} ${filter.until}`, without: { until: null } },
  ];
  return (
    <search className={`row ${styles.filters}`} aria-label={t.filters}>
      <Button icon="rules" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.filters}
      </Button>
      {chosen.map(
        ({ words, without }) =>
          words && (
            <Chip
              key={words}
              removeLabel={t.removeChip(words)}
              onRemove={() => onChange({ ...filter, ...without })}
            >
              {words}
            </Chip>
          ),
      )}
      {isFiltered(filter) && (
        <Button kind="quiet" onClick={() => onChange(NO_FILTER)}>
          {t.clearFilter}
        </Button>
      )}
      {isOpen && <FilterDialog {...{ filter, onChange }} onClose={() => setOpen(false)} />}
    </search>
  );
}

function FilterDialog({ filter, onChange, onClose }: FilterBarProps & { readonly onClose: () => void }) {
  const t = useText('feed');
  const common = useText('common');
  const cameras = useCameras();
  const set = (change: Partial<FeedFilter>) => onChange({ ...filter, ...change });
  return (
    <Dialog
      title={t.filters}
      onClose={onClose}
      actions={
        <Button kind="main" onClick={onClose}>
          {common.done}
        </Button>
      }
    >
      <div className="stack">
        <SelectField
          label={t.seen}
          value={filter.isNewOnly ? 'new' : ''}
          onChange={(next) => set({ isNewOnly: next === 'new' })}
        >
          <option value="">{t.all}</option>
          <option value="new">{t.newOnly}</option>
        </SelectField>
        <SelectField
          label={t.severityLabel}
          value={filter.severity ?? ''}
          onChange={(next) => set({ severity: (next || null) as FeedFilter['severity'] })}
        >
          <option value="">{t.anySeverity}</option>
          <option value="warning">{t.severity.warning}</option>
          <option value="critical">{t.severity.critical}</option>
        </SelectField>
        {cameras.length > 1 && (
          <SelectField
            label={t.camera}
            value={filter.deviceId ?? ''}
            onChange={(next) => set({ deviceId: next || null })}
          >
            <option value="">{t.anyCamera}</option>
            {cameras.map((camera) => (
              <option key={camera.id} value={camera.id}>
                {camera.name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t.until}
          type="date"
          value={filter.until ?? ''}
          onChange={(value) => set({ until: value || null })}
        />
      </div>
    </Dialog>
  );
}
