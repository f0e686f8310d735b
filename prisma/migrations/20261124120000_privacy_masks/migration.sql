-- Areas that no picture of a device shows, and people who are hidden in pictures. Constant defaults do not rewrite the tables.
CREATE TYPE "BlurPeople" AS ENUM ('none', 'faces', 'bodies');
ALTER TABLE "User" ADD COLUMN "blurPeople" "BlurPeople" NOT NULL DEFAULT 'none';
ALTER TABLE "Device"
  ADD COLUMN "privacyMask" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "maskAnalysis" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "privacyRevision" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "FrameRequest" ADD COLUMN "privacyRevision" INTEGER;

-- Each change of what the pictures of a device may show counts one up, whoever makes it. A picture that was made for an
-- older number is not stored.
CREATE FUNCTION device_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."privacyRevision" := OLD."privacyRevision" + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER "Device_privacy_changed" BEFORE UPDATE OF "privacyMask", "maskAnalysis" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyMask" IS DISTINCT FROM NEW."privacyMask" OR OLD."maskAnalysis" <> NEW."maskAnalysis")
  EXECUTE FUNCTION device_privacy_changed();

-- A device shows the masks of its scenes. The mask of a deleted scene ends with the next renewal of a lease.
CREATE FUNCTION scene_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Device" SET "privacyRevision" = "privacyRevision" + 1 WHERE id = NEW."deviceId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Scene_privacy_added" AFTER INSERT ON "Scene"
  FOR EACH ROW WHEN (NEW.config ? 'privacyMask') EXECUTE FUNCTION scene_privacy_changed();
CREATE TRIGGER "Scene_privacy_changed" AFTER UPDATE OF config ON "Scene"
  FOR EACH ROW WHEN (OLD.config -> 'privacyMask' IS DISTINCT FROM NEW.config -> 'privacyMask')
  EXECUTE FUNCTION scene_privacy_changed();

CREATE FUNCTION user_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Device" d SET "privacyRevision" = d."privacyRevision" + 1
  FROM (SELECT id FROM "Device" WHERE "userId" = NEW.id ORDER BY id FOR NO KEY UPDATE) own
  WHERE d.id = own.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "User_privacy_changed" AFTER UPDATE OF "blurPeople" ON "User"
  FOR EACH ROW WHEN (OLD."blurPeople" <> NEW."blurPeople") EXECUTE FUNCTION user_privacy_changed();

-- Nodes and watchers learn of it at commit. A live picture of before is not shown again.
CREATE FUNCTION privacy_revised() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "LivePicture" WHERE "deviceId" = NEW.id;
  PERFORM pg_notify('live_pictures', NEW.id::text);
  PERFORM pg_notify('analysis_runs', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "Device_privacy_revised" AFTER UPDATE OF "privacyRevision", "privacyMask", "maskAnalysis" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyRevision" <> NEW."privacyRevision") EXECUTE FUNCTION privacy_revised();
