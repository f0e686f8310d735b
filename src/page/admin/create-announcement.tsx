import { useState } from 'react';
import { api } from '../api/client.ts';
import { serverNow } from '../api/connection.ts';
import { useAction } from '../api/query.ts';
import { Field } from '../kit/field.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { useText } from '../text/text.ts';
import { type AnnouncementFaults, type AnnouncementForm, bodyOf, faultsOf } from './announcements.ts';

const NOTHING: AnnouncementForm = {
  type: 'maintenance_scheduled',
  title: '',
  message: '',
  startsAt: '',
  endsAt: '',
};
const TYPES = ['maintenance_scheduled', 'system_announcement'] as const;

/** Writes an announcement to all users. */
export function CreateAnnouncement({ onClose }: { readonly onClose: () => void }) {
  const t = useText('admin').announcements;
  const [form, setForm] = useState(NOTHING);
  const [faults, setFaults] = useState<AnnouncementFaults>({});
  const set = (change: Partial<AnnouncementForm>) => setForm({ ...form, ...change });
  const send = useAction(() => api.POST('/admin/announcements', { body: bodyOf(form) }), {
    changes: [['admin', 'announcements'], ['announcements']],
    onDone: onClose,
  });
  const faultOf = (field: keyof AnnouncementFaults) => {
    const fault = faults[field];
    return fault && t[fault];
  };
  const submit = () => {
    const found = faultsOf(form, new Date(serverNow()));
    setFaults(found);
    if (Object.keys(found).length === 0) send.mutate();
  };
  return (
    <FormDialog title={t.create} onClose={onClose} submit={t.send} action={send} noValidate onSubmit={submit}>
      <p className="note">{t.sendText}</p>
      <Field label={t.type}>
        {(attributes) => (
          <select
            {...attributes}
            value={form.type}
            onChange={(event) => set({ type: event.target.value as AnnouncementForm['type'] })}
          >
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {t.types[type]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={t.headline}
        error={send.error}
        path="title"
        fault={faultOf('title')}
        maxLength={200}
        value={form.title}
        onChange={(value) => set({ title: value })}
      />
      <Field label={t.message} error={send.error} path="message" fault={faultOf('message')}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            maxLength={5000}
            value={form.message}
            onChange={(event) => set({ message: event.target.value })}
          />
        )}
      </Field>
      <div className="fields">
        <TextField
          label={t.startsAt}
          error={send.error}
          path="startsAt"
          isOptional
          type="datetime-local"
          value={form.startsAt}
          onChange={(value) => set({ startsAt: value })}
        />
        <TextField
          label={t.endsAt}
          hint={t.endsHint}
          error={send.error}
          path="endsAt"
          fault={faultOf('endsAt')}
          isOptional
          type="datetime-local"
          value={form.endsAt}
          onChange={(value) => set({ endsAt: value })}
        />
      </div>
    </FormDialog>
  );
}
