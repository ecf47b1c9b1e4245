/// Does what the tests of operators in trouble ask for.
async fn ensure(object: &Object, ctx: &Context) -> Result<()> {
    static TRIES: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    match object.spec.foo.as_deref() {
        Some("child") => {
            let mut child = ConfigMap::default();
            child.metadata.name = Some(object.name_any());
            child.data = Some([("foo".into(), "child".into())].into());
            ctx.apply(object, &child).await?;
        }
        Some("slow") => {
            tracing::info!("the slow reconcile begins");
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        }
        Some("fail") => {
            let count = TRIES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return Err(crate::Error::Trial(count));
        }
        Some("panic") => panic!("as the test wants it"),
        _ => {}
    }
    Ok(())
}
