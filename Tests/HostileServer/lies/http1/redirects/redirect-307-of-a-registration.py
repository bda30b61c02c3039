# registration: A registration is sent on for ever.
# expected: redirect_limit
act = redirect(lambda exchange: exchange.path, status="307 Temporary Redirect")
