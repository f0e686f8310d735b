-- For a database of version 0.1 whose `init` is marked as applied, while all programs are stopped: src/operations.md.

-- The migrations that `init` stands for.
DELETE FROM _prisma_migrations WHERE migration_name <> '20261126080000_init';

-- What programs before the last ones of 0.1 did not store yet.
UPDATE "AnalysisTask" SET stats = jsonb_set(stats, '{staff,members}', '[]')
WHERE jsonb_typeof(stats -> 'staff') = 'object' AND NOT stats -> 'staff' ? 'members';

UPDATE "AnalysisTask" SET stats = jsonb_set(stats, '{attributes,coveredKeys}', 'null')
WHERE jsonb_typeof(stats -> 'attributes') = 'object' AND NOT stats -> 'attributes' ? 'coveredKeys';

UPDATE "Recording"
SET "videoTracks" = jsonb_build_array(jsonb_build_object(
  'number', "videoTrack", 'width', width, 'height', height, 'codec', codec, 'fps', "sourceFps"))
WHERE "videoTracks" = '[]';
