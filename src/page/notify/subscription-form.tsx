import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { isWhole, type Schedule } from '../kit/form/schedule.ts';
import { ScheduleFields } from '../kit/form/schedule-fields.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { NameField } from '../kit/form/text-field.tsx';
import { duration } from '../kit/numbers.ts';
import { browserZone } from '../kit/time.ts';
import { localeNow, useText } from '../text/text.ts';
import { Choices } from './choices.tsx';
import { type Reach, reachOf } from './reach.ts';
import { type Channel, channelName, NOTIFY_KEY, type Subscription, useSites } from './use-notify.ts';
import { NIGHT } from './weekdays.ts';

type Kind = Subscription['kinds'][number];
type Severity = Subscription['severities'][number];

const KINDS = [
  'alert_triggered',
  'staffing_advice',
  'unusual_activity',
  'device_offline',
  'device_online',
  'analysis_error',
] as const satisfies Kind[];
const OF_BILLING = ['quota_warning', 'quota_exceeded'] as const satisfies Kind[];
const SEVERITIES = ['warning', 'critical'] as const satisfies Severity[];
const DISTANCES = [0, 60, 300, 900, 3600, 86_400];

interface SubscriptionFormProps {
  /** Undefined to create one. */
  readonly subscription: Subscription | undefined;
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

export function SubscriptionForm({ subscription, channels, onClose }: SubscriptionFormProps) {
  const t = useText('notify');
  const common = useText('common');
  const session = useSession();
  const [channelId, setChannelId] = useState(subscription?.channelId ?? channels[0]!.id);
  const [name, setName] = useState(subscription?.name ?? '');
  const [isEnabled, setEnabled] = useState(subscription?.isEnabled ?? true);
  const [kinds, setKinds] = useState<readonly Kind[]>(subscription?.kinds ?? ['alert_triggered']);
  const [severities, setSeverities] = useState<readonly Severity[]>(subscription?.severities ?? []);
  const [reach, setReach] = useState<Reach>(subscription ? reachOf(subscription) : 'all');
  const [deviceIds, setDeviceIds] = useState<readonly string[]>(subscription?.deviceIds ?? []);
  const [siteIds, setSiteIds] = useState<readonly string[]>(subscription?.siteIds ?? []);
  const [ruleIds, setRuleIds] = useState<readonly string[]>(subscription?.ruleIds ?? []);
  const [quietHours, setQuietHours] = useState<Schedule | null>(subscription?.quietHours ?? null);
  const [distance, setDistance] = useState(subscription?.minDistanceSeconds ?? 60);
  const save = useAction(
    () => {
      const body = {
        isEnabled,
        kinds: [...kinds],
        severities: [...severities],
        // A subscription of sites may have single devices too.
        deviceIds: reach === 'all' ? [] : [...deviceIds],
        siteIds: reach === 'sites' ? [...siteIds] : [],
        ruleIds: [...ruleIds],
        quietHours,
        minDistanceSeconds: distance,
      };
      const path = { id: subscription?.id ?? '' };
      return subscription
        ? api.PATCH('/notifications/subscriptions/{id}', {
            params: { path },
            body: { ...body, name: name.trim() || null },
          })
        : api.POST('/notifications/subscriptions', {
            body: { ...body, channelId, ...(name.trim() && { name: name.trim() }) },
          });
    },
    { changes: [[NOTIFY_KEY]], onDone: onClose },
  );
  const remove = useAction(
    () =>
      api.DELETE('/notifications/subscriptions/{id}', { params: { path: { id: subscription?.id ?? '' } } }),
    { changes: [[NOTIFY_KEY]], onDone: onClose },
  );
  const isPlaceMissing =
    (reach === 'devices' && deviceIds.length === 0) || (reach === 'sites' && siteIds.length === 0);
  const isIncomplete = kinds.length === 0 || isPlaceMissing || (quietHours !== null && !isWhole(quietHours));
  const submit = () => {
    save.mutate(undefined);
  };
  const mayBilling = session.may('billing:read');
  const timezone = session.user.timezone ?? browserZone();
  return (
    <FormDialog
      title={subscription ? t.editSubscription : t.newSubscription}
      isWide
      onClose={onClose}
      before={
        subscription ? (
          <Button
            kind="danger"
            icon="trash"
            isBusy={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t.removeSubscription}
          </Button>
        ) : null
      }
      submit={subscription ? common.save : t.create}
      action={{ isPending: save.isPending, error: save.error ?? remove.error }}
      isIncomplete={isIncomplete}
      onSubmit={submit}
    >
      {subscription && <Checkbox label={t.isOn} isOn={isEnabled} onChange={setEnabled} />}
      {!subscription && (
        <SelectField
          label={t.channel}
          error={save.error}
          path="channelId"
          value={channelId}
          onChange={setChannelId}
        >
          {channels.map((channel) => (
            <option key={channel.id} value={channel.id}>
              {channelName(channel)}
            </option>
          ))}
        </SelectField>
      )}
      <Choices
        legend={t.events}
        options={[
          ...KINDS,
          ...(mayBilling || kinds.some((kind) => kind.startsWith('quota')) ? OF_BILLING : []),
        ].map((id) => ({ id, name: t.eventKinds[id] }))}
        chosen={kinds}
        onChange={setKinds}
        fault={kinds.length === 0 ? t.chooseEvent : undefined}
      />
      {kinds.includes('alert_triggered') && (
        <SelectField
          label={t.severities}
          value={severities.length === 1 ? severities[0] : ''}
          onChange={(next) => setSeverities(next ? [next as Severity] : [])}
        >
          <option value="">{t.allSeverities}</option>
          {SEVERITIES.map((each) => (
            <option key={each} value={each}>
              {t.severity[each]}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={t.reach}
        error={save.error}
        path="deviceIds"
        value={reach}
        onChange={(next) => setReach(next as Reach)}
      >
        {(['all', 'devices', 'sites'] as const).map((each) => (
          <option key={each} value={each}>
            {t.reaches[each]}
          </option>
        ))}
      </SelectField>
      {reach === 'devices' && (
        <DeviceChoices chosen={deviceIds} onChange={setDeviceIds} isMissing={isPlaceMissing} />
      )}
      {reach === 'sites' && <SiteChoices chosen={siteIds} onChange={setSiteIds} isMissing={isPlaceMissing} />}
      {kinds.includes('alert_triggered') && <RuleChoices chosen={ruleIds} onChange={setRuleIds} />}
      <Checkbox
        label={t.quiet}
        hint={t.quietHint}
        isOn={quietHours !== null}
        onChange={(isOn) => setQuietHours(isOn ? { timezone, windows: [NIGHT] } : null)}
      />
      {quietHours && (
        <ScheduleFields
          schedule={quietHours}
          onChange={setQuietHours}
          first={NIGHT}
          error={save.error}
          path="quietHours"
        />
      )}
      <SelectField
        label={t.distance}
        error={save.error}
        path="minDistanceSeconds"
        value={distance}
        onChange={(next) => setDistance(Number(next))}
      >
        {[...new Set([...DISTANCES, distance])]
          .sort((one, other) => one - other)
          .map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? t.noDistance : duration(seconds, localeNow())}
            </option>
          ))}
      </SelectField>
      <NameField label={t.name} isOptional error={save.error} value={name} onChange={setName} />
    </FormDialog>
  );
}

interface PlaceChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly isMissing?: boolean;
}

function DeviceChoices({ chosen, onChange, isMissing = false }: PlaceChoicesProps) {
  const t = useText('notify');
  const query = useCall([NOTIFY_KEY, 'devices'], () =>
    api.GET('/devices', { params: { query: { limit: 100 } } }),
  );
  return (
    <Choices
      legend={t.reaches.devices}
      options={query.data ?? []}
      chosen={chosen}
      onChange={onChange}
      fault={isMissing ? t.choosePlace : undefined}
    />
  );
}

function SiteChoices({ chosen, onChange, isMissing = false }: PlaceChoicesProps) {
  const t = useText('notify');
  const query = useSites();
  return (
    <Choices
      legend={t.reaches.sites}
      options={query.data ?? []}
      chosen={chosen}
      onChange={onChange}
      fault={isMissing ? t.choosePlace : undefined}
    />
  );
}

function RuleChoices({ chosen, onChange }: PlaceChoicesProps) {
  const t = useText('notify');
  const [isOpen, setOpen] = useState(chosen.length > 0);
  const query = useCall(
    [NOTIFY_KEY, 'rules'],
    () => api.GET('/alerts/rules', { params: { query: { limit: 100 } } }),
    { enabled: isOpen },
  );
  return (
    <>
      <Checkbox
        label={t.someRules}
        isOn={isOpen}
        onChange={(isOn) => {
          setOpen(isOn);
          if (!isOn) onChange([]);
        }}
      />
      {isOpen && <Choices legend={t.rules} options={query.data ?? []} chosen={chosen} onChange={onChange} />}
    </>
  );
}
