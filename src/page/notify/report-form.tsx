import { useState } from 'react';
import { api, type Resource } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { Button } from '../kit/button.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { TextField } from '../kit/form/text-field.tsx';
import { localeNow, useText } from '../text/text.ts';
import { Choices } from './choices.tsx';
import { type Channel, channelName, NOTIFY_KEY, type ReportSubscription } from './use-notify.ts';
import { weekdayNames } from './weekdays.ts';

interface ReportFormProps {
  /** Undefined to create one. */
  readonly report: ReportSubscription | undefined;
  readonly sites: readonly Resource<'Site'>[];
  readonly emails: readonly Channel[];
  readonly onClose: () => void;
}

export function ReportForm({ report, sites, emails, onClose }: ReportFormProps) {
  const t = useText('notify');
  const common = useText('common');
  const [siteId, setSiteId] = useState(report?.siteId ?? sites[0]?.id ?? '');
  const [period, setPeriod] = useState(report?.period ?? 'day');
  const [weekday, setWeekday] = useState(report?.weekday ?? 1);
  const [localTime, setLocalTime] = useState(report?.localTime ?? '07:00');
  const [channelIds, setChannelIds] = useState<readonly string[]>(
    report?.channelIds ?? emails.slice(0, 1).map(({ id }) => id),
  );
  const save = useAction(
    () => {
      const body = {
        period,
        localTime,
        channelIds: [...channelIds],
        ...(period === 'week' && { weekday }),
      };
      return report
        ? api.PATCH('/reports/subscriptions/{id}', { params: { path: { id: report.id } }, body })
        : api.POST('/reports/subscriptions', { body: { ...body, siteId } });
    },
    { changes: [[NOTIFY_KEY]], onDone: onClose },
  );
  const remove = useAction(
    () => api.DELETE('/reports/subscriptions/{id}', { params: { path: { id: report?.id ?? '' } } }),
    { changes: [[NOTIFY_KEY]], onDone: onClose },
  );
  const submit = () => {
    save.mutate(undefined);
  };
  return (
    <FormDialog
      title={t.report}
      onClose={onClose}
      before={
        report ? (
          <Button
            kind="danger"
            icon="trash"
            isBusy={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t.remove}
          </Button>
        ) : null
      }
      submit={report ? common.save : t.create}
      action={{ isPending: save.isPending, error: save.error ?? remove.error }}
      isIncomplete={channelIds.length === 0}
      onSubmit={submit}
    >
      {!report && (
        <SelectField label={t.site} error={save.error} path="siteId" value={siteId} onChange={setSiteId}>
          {sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={t.period}
        error={save.error}
        path="period"
        value={period}
        onChange={(next) => setPeriod(next as typeof period)}
      >
        <option value="day">{t.periods.day}</option>
        <option value="week">{t.periods.week}</option>
      </SelectField>
      {period === 'week' && (
        <SelectField
          label={t.weekday}
          error={save.error}
          path="weekday"
          value={weekday}
          onChange={(next) => setWeekday(Number(next))}
        >
          {weekdayNames(localeNow(), 'long').map((day, at) => (
            <option key={day} value={at + 1}>
              {day}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={t.localTime}
        error={save.error}
        path="localTime"
        type="time"
        required
        value={localTime}
        onChange={setLocalTime}
      />
      <Choices
        legend={t.receivers}
        options={emails.map((channel) => ({ id: channel.id, name: channelName(channel) }))}
        chosen={channelIds}
        onChange={setChannelIds}
        fault={channelIds.length === 0 ? t.choosePlace : undefined}
      />
    </FormDialog>
  );
}
