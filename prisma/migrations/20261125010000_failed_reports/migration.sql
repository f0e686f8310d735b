-- A report is `failed` when none of its e-mails has arrived after all attempts.
ALTER TYPE "ReportStatus" ADD VALUE 'failed';
ALTER TABLE "SentReport" ADD COLUMN "openMessages" SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE "Notification" ADD COLUMN "reportId" UUID;

-- Two e-mails of a report may fail at the same time: the update of the one row makes the second wait for the first.
CREATE FUNCTION "Notification_report_failed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  why TEXT := CASE WHEN TG_OP = 'DELETE' THEN 'Its channel was deleted.' ELSE NEW."errorMessage" END;
BEGIN
  UPDATE "SentReport"
  SET "openMessages" = "openMessages" - 1,
      status = CASE WHEN "openMessages" = 1 THEN 'failed'::"ReportStatus" ELSE status END,
      reason = CASE WHEN "openMessages" = 1 THEN left(why, 200) ELSE reason END
  WHERE id = OLD."reportId" AND "openMessages" > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER "Notification_report_failed" AFTER UPDATE OF status ON "Notification" FOR EACH ROW
  WHEN (OLD."reportId" IS NOT NULL AND OLD.status = 'pending' AND NEW.status = 'failed' AND NEW."isFinalAttempt")
  EXECUTE FUNCTION "Notification_report_failed"();
CREATE TRIGGER "Notification_report_removed" AFTER DELETE ON "Notification" FOR EACH ROW
  WHEN (OLD."reportId" IS NOT NULL AND OLD.status = 'pending') EXECUTE FUNCTION "Notification_report_failed"();
