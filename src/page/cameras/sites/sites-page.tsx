import { type FormEvent, useState } from 'react';
import { api, type Resource } from '../../api/client.ts';
import { useAction, useCall, useList } from '../../api/query.ts';
import { Can, useSession } from '../../api/session.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { NameField } from '../../kit/form/text-field.tsx';
import { TimezoneSelect } from '../../kit/form/timezone-select.tsx';
import { Page } from '../../kit/page.tsx';
import { Empty, Failure, FormFailure, MoreButton, Skeleton } from '../../kit/states.tsx';
import { Tile, TileGrid } from '../../kit/tile.tsx';
import { browserZone, zoneName } from '../../kit/time.ts';
import { weekInWords } from '../../kit/words/opening-words.ts';
import { useText } from '../../text/text.ts';
import { useCameras } from '../camera-list.tsx';
import styles from '../cameras.module.css';
import { TargetFields } from '../parts/target-fields.tsx';
import { OpeningHoursFields } from './opening-hours-fields.tsx';

type Site = Resource<'Site'>;

/** Groups of cameras that are looked at together. */
export function SitesPage() {
  const t = useText('cameras');
  const schedule = useText('schedule');
  const list = useList<Site>(['sites', 'pages'], (page) =>
    api.GET('/sites', { params: { query: { page, limit: 50 } } }),
  );
  const [open, setOpen] = useState<Site | 'new' | null>(null);
  const add = (
    <Can scope="device:write">
      <Button kind="main" icon="plus" onClick={() => setOpen('new')}>
        {t.siteNew}
      </Button>
    </Can>
  );
  return (
    <Page title={t.sites} lead={t.siteText} backTo="/cameras" actions={list.items.length > 0 && add}>
      {list.data === undefined && !list.error && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.items.length === 0 && (
        <Empty title={t.siteEmpty} icon="people" action={add}>
          {t.siteText}
        </Empty>
      )}
      <TileGrid>
        {list.items.map((site) => (
          <Tile key={site.id}>
            <div className={`spread ${styles.siteHead}`}>
              <div>
                <h2>{site.name}</h2>
                <p className="note">
                  {t.count(site.deviceIds.length)} · {zoneName(site.timezone)}
                </p>
                {site.openingHours && <p className="note">{weekInWords(site.openingHours, schedule)}</p>}
              </div>
              <Can scope="device:write">
                <Button
                  icon="edit"
                  aria-label={`${t.tabs.settings}: ${site.name}`}
                  onClick={() => setOpen(site)}
                />
              </Can>
            </div>
          </Tile>
        ))}
      </TileGrid>
      <MoreButton list={list} />
      {open !== null && <SiteDialog site={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

/** @param site null for a new one */
function SiteDialog({ site, onClose }: { readonly site: Site | null; readonly onClose: () => void }) {
  const t = useText('cameras');
  const common = useText('common');
  const cameras = useCameras();
  const { may } = useSession();
  const [name, setName] = useState(site?.name ?? '');
  const [timezone, setTimezone] = useState(site?.timezone ?? browserZone());
  const [deviceIds, setDeviceIds] = useState<readonly string[]>(site?.deviceIds ?? []);
  const [target, setTarget] = useState(site?.target ?? null);
  const [openingHours, setOpeningHours] = useState(site?.openingHours ?? null);
  const proposal = useCall(
    ['hours-proposal', site?.id],
    () => api.GET('/analytics/sites/{id}/opening-hours-proposal', { params: { path: { id: site!.id } } }),
    { enabled: site !== null && openingHours === null && may('analytics:read') },
  );
  const [isSure, setIsSure] = useState(false);
  const changes = [['sites'], ['cameras'], ['series'], ['heatmap'], ['distribution']];
  const save = useAction(
    () => {
      const body = { name: name.trim(), timezone, deviceIds: [...deviceIds], target, openingHours };
      return site
        ? api.PATCH('/sites/{id}', { params: { path: { id: site.id } }, body })
        : api.POST('/sites', { body });
    },
    { changes, onDone: onClose },
  );
  const remove = useAction(() => api.DELETE('/sites/{id}', { params: { path: { id: site!.id } } }), {
    changes,
    onDone: onClose,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !save.isPending) save.mutate(undefined);
  };
  return (
    <Dialog
      title={site?.name ?? t.siteNew}
      onClose={onClose}
      actions={
        <>
          {site && (
            <Button
              kind="danger"
              icon="trash"
              isBusy={remove.isPending}
              onClick={() => (isSure ? remove.mutate(undefined) : setIsSure(true))}
            >
              {isSure ? `${t.siteDelete}?` : t.siteDelete}
            </Button>
          )}
          <Button
            kind="main"
            isBusy={save.isPending}
            disabled={name.trim() === ''}
            onClick={() => save.mutate(undefined)}
          >
            {common.save}
          </Button>
        </>
      }
    >
      <form className="stack" onSubmit={onSubmit}>
        <NameField label={t.name} error={save.error} value={name} onChange={setName} />
        <Field label={t.siteTimezone} error={save.error} path="timezone">
          {(attributes) => <TimezoneSelect attributes={attributes} value={timezone} onChange={setTimezone} />}
        </Field>
        <TargetFields value={target} inherited={null} onChange={setTarget} error={save.error} />
        <OpeningHoursFields
          value={openingHours}
          proposed={proposal.data?.openingHours ?? null}
          timezone={timezone}
          onChange={setOpeningHours}
          error={save.error}
        />
        <fieldset className={styles.choicesDown}>
          <legend>{t.siteCameras}</legend>
          {cameras.items.map((camera) => (
            <Checkbox
              key={camera.id}
              label={camera.name}
              isOn={deviceIds.includes(camera.id)}
              onChange={(isIn) =>
                setDeviceIds(isIn ? [...deviceIds, camera.id] : deviceIds.filter((id) => id !== camera.id))
              }
            />
          ))}
        </fieldset>
      </form>
      {isSure && <p role="alert">{t.siteDeleteText}</p>}
      <FormFailure error={save.error ?? remove.error} />
    </Dialog>
  );
}
