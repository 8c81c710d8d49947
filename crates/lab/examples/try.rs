use airtime_lab::*;
fn main(){ let mut a=std::env::args().skip(1); let text=std::fs::read_to_string(a.next().unwrap()).unwrap();
let sets:Vec<(String,String)>=a.map(|s|{let (k,v)=s.split_once('=').unwrap();(k.into(),v.into())}).collect();
let lib=Library::builtin(); let plan=match Plan::parse("x.toml",&text,&lib,&sets){Ok(p)=>p,Err(e)=>{println!("{e}");return}};
for p in plan.points(){ let t=std::time::Instant::now(); let r=run::record(&plan,&p); println!("{} {:?} {} | {} | {:?}", p.label, r.goodput_kbps, r.outcome, r.bottleneck.says, t.elapsed());
 if std::env::var("V").is_ok(){ println!("{}", serde_json::to_string(&r).unwrap()); } } }
