-- The two indexes before replace it. The only statement of its migration, as before.
DROP INDEX CONCURRENTLY "QuotaTransaction_scope_scopeId_source_sourceId_feature_key";
