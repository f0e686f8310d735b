-- A trusted extension of PostgreSQL itself: the database's owner may make it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What a search compares an alert by. Its own value where its metric is of that kind, else the value of that moment.
ALTER TABLE "AlertEvent"
  ADD COLUMN "queueLength" DOUBLE PRECISION GENERATED ALWAYS AS (
    CASE
      WHEN "metricPath" ~ '\.(inQueue|avgInQueue|maxInQueue)$' THEN "actualValue"
      WHEN jsonb_typeof("facts" #> '{metrics,current,inQueue}') = 'number'
        THEN ("facts" #>> '{metrics,current,inQueue}')::double precision
    END) STORED,
  ADD COLUMN "waitSeconds" DOUBLE PRECISION GENERATED ALWAYS AS (
    CASE
      WHEN "metricPath" ~ 'WaitSeconds$' THEN "actualValue"
      WHEN jsonb_typeof("facts" #> '{metrics,current,maxWaitSeconds}') = 'number'
        THEN ("facts" #>> '{metrics,current,maxWaitSeconds}')::double precision
    END) STORED,
  ADD COLUMN "serviceSeconds" DOUBLE PRECISION GENERATED ALWAYS AS (
    CASE
      WHEN "metricPath" ~ 'ServiceSeconds$' THEN "actualValue"
      WHEN jsonb_typeof("facts" #> '{metrics,current,maxServiceSeconds}') = 'number'
        THEN ("facts" #>> '{metrics,current,maxServiceSeconds}')::double precision
    END) STORED;
CREATE INDEX "AlertEvent_userId_measures_idx"
  ON "AlertEvent"("userId", "waitSeconds", "queueLength", "serviceSeconds", "id") WHERE "deletedAt" IS NULL;

-- CreateTable
CREATE TABLE "SearchWord" (
    "userId" UUID NOT NULL,
    "word" VARCHAR(40) NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("userId", "word")
);
CREATE INDEX "SearchWord_trigrams_idx" ON "SearchWord" USING GIN ("userId" uuid_ops, "word" gin_trgm_ops);
ALTER TABLE "SearchWord" ADD CONSTRAINT "SearchWord_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "Device_name_trigrams_idx" ON "Device" USING GIN ("userId" uuid_ops, "name" gin_trgm_ops) WHERE "deletedAt" IS NULL;
CREATE INDEX "Scene_name_trigrams_idx" ON "Scene" USING GIN ("userId" uuid_ops, "name" gin_trgm_ops) WHERE "deletedAt" IS NULL;

-- Words in one order, so that two writers of the same new words never wait for each other in a circle.
CREATE FUNCTION note_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SearchWord" ("userId", "word")
  SELECT DISTINCT "userId", word FROM written, unnest(tsvector_to_array("searchVector")) AS word
  WHERE word ~ '^[[:alpha:]]{4,40}$'
  ORDER BY 1, 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Insight_words_of_new" AFTER INSERT ON "Insight"
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_search_words();

CREATE FUNCTION note_changed_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SearchWord" ("userId", "word")
  SELECT NEW."userId", word FROM unnest(tsvector_to_array(NEW."searchVector")) AS word
  WHERE word ~ '^[[:alpha:]]{4,40}$'
  ORDER BY 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Insight_words_of_changed" AFTER UPDATE OF "vlmSummary", "vlmStructuredResult" ON "Insight"
  FOR EACH ROW WHEN (NEW."vlmSummary" IS NOT NULL) EXECUTE FUNCTION note_changed_search_words();

INSERT INTO "SearchWord" ("userId", "word")
SELECT DISTINCT "userId", word FROM "Insight", unnest(tsvector_to_array("searchVector")) AS word
WHERE word ~ '^[[:alpha:]]{4,40}$';
