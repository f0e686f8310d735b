-- The place of an event in its stream is taken at commit, one transaction after the other: whoever has seen a place
-- has seen every one before it, and goes on from there without missing what was under way meanwhile. NOTIFY makes
-- commits wait for each other in the same way.
CREATE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('place_event', 0));
  UPDATE "Event" SET sequence = nextval('"Event_sequence_seq"') WHERE id = NEW.id;
  PERFORM pg_notify('events', NEW."userId"::text);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "Event_place" AFTER INSERT ON "Event"
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION place_event();

-- Zones are drawn by whoever answers; a picture of a device nobody streams is fetched by one node.
ALTER TABLE "FrameRequest" DROP COLUMN "sceneId", ADD COLUMN "computeNodeId" UUID;

-- The storage that all programs share is one setting.
ALTER TABLE "ComputeNode" DROP COLUMN "storageId";
