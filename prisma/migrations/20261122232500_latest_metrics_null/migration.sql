-- The live numbers of scenes get the form that is written from now on. updatedAt stays: it is no change of the scene.
-- How many waits and services averages are of was not kept: null.
UPDATE "Scene" SET "latestMetrics" = "latestMetrics" || coalesce((
    SELECT jsonb_object_agg(key, value || jsonb_build_object(
        'completed', '{"waitCount": null, "serviceCount": null}'::jsonb || (value -> 'completed'),
        'abandoned', '{"waitCount": null}'::jsonb || (value -> 'abandoned')))
    FROM jsonb_each("latestMetrics") WHERE value ? 'completed' AND value ? 'abandoned'), '{}')
WHERE jsonb_typeof("latestMetrics") = 'object';

-- What the zones of the scene cannot measure is null.
UPDATE "Scene" SET "latestMetrics" = jsonb_set("latestMetrics", '{current,inQueue}', 'null')
WHERE "latestMetrics" #> '{current,inQueue}' IS NOT NULL AND NOT (config -> 'zones') ? 'queueZone';
UPDATE "Scene" SET "latestMetrics" = jsonb_set("latestMetrics", '{current,inService}', 'null')
WHERE "latestMetrics" #> '{current,inService}' IS NOT NULL AND NOT (config -> 'zones') ? 'checkoutZone';
